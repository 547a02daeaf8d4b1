package org.sparkgpugraph.runtime.report;

/** How pages look; everything is below an element of class {@code sgg}. */
final class Style {
  /** For the content of a page, wherever it is. */
  static final String CONTENT =
      """
      .sgg { max-width: 1200px; }
      .sgg h4 { margin: 1.2em 0 .3em; font-size: 1.05rem; font-weight: 600; }
      .sgg .chart { width: 100%; max-width: 1100px; height: auto; display: block; }
      .sgg .chart .n { font: 11px sans-serif; fill: #4a5568; }
      .sgg .chart .hit:hover { fill: rgba(0, 0, 0, .07); }
      .sgg .legend span { margin-right: 1.4em; font-size: .85rem; }
      .sgg .legend i { display: inline-block; width: .8em; height: .8em; margin-right: .4em; border-radius: 2px; }
      .sgg dl { display: grid; grid-template-columns: max-content auto; gap: .15em 1.2em; margin: 0 0 1em; }
      .sgg dt { font-weight: 600; }
      .sgg dd { margin: 0; overflow-wrap: anywhere; }
      .sgg .trouble { border-left: 4px solid #c53030; padding: .4em .8em; margin: .6em 0; background: #fff5f5; }
      .sgg .trouble li, .sgg td li { overflow-wrap: anywhere; }
      .sgg .note { color: #4a5568; font-size: .85rem; }
      .sgg td.r, .sgg th.r { text-align: right; white-space: nowrap; }
      .sgg td ul { margin: 0; padding-left: 1.1em; }
      """;

  /** For a page that is nobody else's. */
  static final String PAGE =
      """
      body { font: 15px/1.45 sans-serif; color: #1a202c; background: #fff; margin: 1.5em auto; max-width: 1200px; padding: 0 1.2em; }
      h1 { font-size: 1.5rem; }
      h2 { font-size: 1.25rem; margin: 1.8em 0 .5em; border-top: 1px solid #e2e8f0; padding-top: .8em; }
      table { border-collapse: collapse; width: 100%; font-size: .9rem; }
      th, td { border: 1px solid #e2e8f0; padding: .25em .6em; text-align: left; vertical-align: top; }
      th { background: #f7fafc; }
      a { color: #2b6cb0; }
      @media print { body { margin: 0; } }
      """;

  private Style() {}
}
