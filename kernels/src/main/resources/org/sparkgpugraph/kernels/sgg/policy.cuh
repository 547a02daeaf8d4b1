// Constants that decide how fast kernels are, not what they find. Where a run has one of its own (SGG_TUNED_…, printed by DenseTuning; 0:
// none) it stands in the policy's place. The numbers are measured on an H200 unless something else is said.

// What is compiled for: 900 for an H200; 0 for the host.
#ifdef __CUDA_ARCH__
#define SGG_ARCHITECTURE __CUDA_ARCH__
#else
#define SGG_ARCHITECTURE 0
#endif

struct Policy {
  static constexpr bool TURING = SGG_ARCHITECTURE > 0 && SGG_ARCHITECTURE < 800;

  // Blocks of 256 threads that a multiprocessor can hold: of 1024, 1536 (the smaller chips of later kinds) or 2048 threads.
  static constexpr int MOST_BLOCKS =
      TURING ? 4 : SGG_ARCHITECTURE == 860 || SGG_ARCHITECTURE == 870 || SGG_ARCHITECTURE == 890 || SGG_ARCHITECTURE >= 1200 ? 6 : 8;

  // Edges of a warp's rows are dealt out (spread.cuh) where at least so many groups of lanes share them, and in so much shared memory a
  // warp: a block of 8 warps has 48 KiB.
  static constexpr int SPREAD_GROUPS = 4;
  static constexpr int SPREAD_BYTES = 5632;

  // Edges that a warp lists where lanes share the arrays of selected edges (selected.cuh), rounds of 32 edges whose ends it loads together,
  // and its room: a block of 8 warps has 48 KiB, of which what it counts takes some.
  static constexpr int SELECTED_EDGES = 128;
  static constexpr int SELECTED_DEPTH = 2;
  static constexpr int SELECTED_BYTES = 6080;

  // Blocks of 256 threads that a multiprocessor should hold: 5 leave 48 registers to a thread. Left to itself the compiler takes 64, and
  // the gather, which waits for scattered loads, loses up to a fifth (PageRank and components). Turing holds 1024 threads.
  static constexpr int RESIDENT_BLOCKS = SGG_TUNED_RESIDENT_BLOCKS > 0 ? SGG_TUNED_RESIDENT_BLOCKS : TURING ? 4 : 5;

  // The same where every vertex runs, little is read over an edge and rows are much alike: 40 registers do, and more warps hide more.
  // PageRank on a lattice takes 0.182 ms with 6 blocks and 0.193 with 4. On R-MAT graphs 4, 5 and 6 differ by no more than a run does
  // from itself.
  static constexpr int RESIDENT_BLOCKS_SMALL = SGG_TUNED_RESIDENT_BLOCKS > 0 ? SGG_TUNED_RESIDENT_BLOCKS : TURING ? 4 : 6;

  // The same where a thread merges messages of more than so many bytes: 128 registers hold 16 floats of each of two.
  static constexpr int WIDE_BLOCKS = SGG_TUNED_RESIDENT_BLOCKS > 0 ? SGG_TUNED_RESIDENT_BLOCKS : 2;
  static constexpr int WIDE_BYTES = 32;

  // The same where lanes share the arrays of an edge: 64 registers hold what a lane has under way.
  static constexpr int FEATURE_BLOCKS = SGG_TUNED_RESIDENT_BLOCKS > 0 ? SGG_TUNED_RESIDENT_BLOCKS : 4;

  // The same where their edges are dealt out: 80 registers hold twice as much, and more edges under way bring more than more warps. Where
  // teams run vertices, arrays are long, and with 64 registers parts of matrices spill.
  static constexpr int SPREAD_BLOCKS = SGG_TUNED_RESIDENT_BLOCKS > 0 ? SGG_TUNED_RESIDENT_BLOCKS : 3;

  // The same of supersteps that push: with a fifth block registers spill, which costs more than the block brings (docs/performance.md).
  static constexpr int PUSH_BLOCKS = 4;

  // The same of supersteps that walk rows, many in a launch: what is known between them takes registers, too. With a fourth block those spill
  // of which some vertices are active; where every vertex runs none do (counted by ptxas, not measured on a GPU).
  static constexpr int OUTLINE_BLOCKS = 3;
  static constexpr int OUTLINE_BLOCKS_ALL = 4;

  // The same of relaxation without supersteps: with twice as many the manager has more to hand out and items are fewer for each
  // (docs/performance.md). AsyncSettings says the same.
  static constexpr int ASYNC_BLOCKS = 2;

  // The same where messages are sent to servers: records stand in registers beside what is known of servers. Of five longs 80 bytes spill,
  // with a fourth block more (counted by ptxas, not measured on a GPU).
  static constexpr int DELEGATE_BLOCKS = 3;

  // The same where contexts of costly branches are collected on both sides of rows: with a fifth block 100 bytes spill (counted by ptxas, not
  // measured on a GPU). On one side none do.
  static constexpr int CONTEXT_BLOCKS = SGG_TUNED_RESIDENT_BLOCKS > 0 ? SGG_TUNED_RESIDENT_BLOCKS : 4;
  // The same of gathers that read hot vertices first, of one block with the shared memory of a multiprocessor (hot.cuh).
  static constexpr int HOT_BLOCKS = 1;

  // The same of the kernels that count messages, and of those that move keys of edges.
  static constexpr int MODE_BLOCKS = 4;
  static constexpr int ROW_MOVE_BLOCKS = 3;

  // Edges per lane whose loads a streaming warp has under way together; a power of two.
  static constexpr int DEPTH = SGG_TUNED_DEPTH;

  // Room that a block gives to what its streaming warps have loaded, in bytes per lane; a power of two.
  static constexpr int STAGE_BYTES = 128;

  // A row's part of the staged edges that is longer than this is walked by the whole warp.
  static constexpr int SERIAL_PART = SGG_TUNED_SERIAL_PART > 0 ? SGG_TUNED_SERIAL_PART : 32;

  // Rows of so many edges and more, up to hubDegree, are gathered by a whole warp one after the other, where edges are selected.
  static constexpr int LONG_ROW = 64;

  // The same of rows that groups of lanes take (waves.cuh): as the host says, who counts with it.
  static constexpr int WAVE_LONG_ROW = SGG_TUNED_SERIAL_PART;

  // Vertices whose first states a thread loads together, and the bytes of a state up to which it does.
  static constexpr int INITIAL_DEPTH = 4;
  static constexpr int INITIAL_BYTES = 16;

  // Updates of another partition whose flags a thread waits for together.
  static constexpr int INBOX_DEPTH = 4;

  // Where rows stop early: words of rows that a warp loads together. Most rows are done, and loads are all there is to wait for.
  static constexpr int STOP_WORDS = 4;

  // Edges of a row that a lane loads together, and how many rows of a warp are walked by all its lanes one after the
  // other, not by a lane each.
  static constexpr int STOP_DEPTH = 4;
  static constexpr int STOP_TOGETHER = 4;
  static constexpr int STOP_BLOCKS = TURING ? 4 : 5;

  // The same of launches that do both, supersteps that push and those whose rows stop early.
  static constexpr int SEARCH_BLOCKS = 4;

  // The same of sorted rows that all lanes of a warp walk: rounds of 32 edges that are under way together.
  static constexpr int STOP_SORTED_DEPTH = 1;

  // Where no row of a warp has more edges than this, a power of two, the segmented reduction takes fewer steps.
  static constexpr int SHORT_ROW = 4;

  // Bitmap words whose vertices a warp loads together that looks for those who send.
  static constexpr int SENDER_WORDS = 4;

  // Bitmap words that a warp looks at together where most are 0.
  static constexpr int SCAN_WORDS = 8;

  // Edges that a warp takes at a time where edges are dealt out whatever rows they are in.
  static constexpr int EDGE_PART = 1024;

  // Union-find: edges that a lane loads together, and vertices that one block asks for their tree.
  static constexpr int LINK_DEPTH = 8;
  static constexpr int LINK_SAMPLE = 1024;

  // Where the largest tree grows from a hub: neighbours of a row that are asked, edges up to which a lane walks a row, and edges of a row
  // that a warp asks before it leaves it to all.
  static constexpr int GROW_DEPTH = 4;
  static constexpr int OPEN_ROW = 32;
  static constexpr int OPEN_LONG_ROW = 2048;

  // Waves of operators: edges that a lane has under way, and blocks that a multiprocessor should hold: all wait for each other a thousand times.
  static constexpr int FRONTIER_DEPTH = 4;
  static constexpr int FRONTIER_BLOCKS = 4;
};
