package org.sparkgpugraph.corpus

import org.apache.spark.graphx._

import scala.language.implicitConversions

// ---------------------------------------------------------------------------------------------
// classes and helpers of the programs below, each as its author left it
// ---------------------------------------------------------------------------------------------

/** widest path */
case class Router(host: String, rack: Int, bandwidth: Double, hops: Int)

object Bandwidth {
  val Gateway: VertexId = 3L
  val Unlimited: Double = Double.PositiveInfinity

  def vprog(id: VertexId, router: Router, msg: (Double, Int)): Router = {
    val (width, hops) = msg
    if (id == Gateway) router.copy(bandwidth = Unlimited, hops = 0)
    else if (width > router.bandwidth) router.copy(bandwidth = width, hops = hops)
    else router
  }

  def sendMessage(triplet: EdgeTriplet[Router, Double]): Iterator[(VertexId, (Double, Int))] = {
    val bottleneck = math.min(triplet.srcAttr.bandwidth, triplet.attr)
    if (bottleneck > triplet.dstAttr.bandwidth) {
      Iterator((triplet.dstId, (bottleneck, triplet.srcAttr.hops + 1)))
    } else {
      Iterator.empty
    }
  }

  def mergeMessage(a: (Double, Int), b: (Double, Int)): (Double, Int) =
    if (a._1 > b._1) a
    else if (b._1 > a._1) b
    else (a._1, math.min(a._2, b._2))
}

/** HITS */
case class Page(url: String, hub: Double, authority: Double)

/** influence: linear threshold model */
case class Follower(
    name: String,
    country: String,
    threshold: Double,
    pressure: Double = 0.0,
    active: Boolean = false,
    fresh: Boolean = false)

/** epidemic */
object Sir {
  val Susceptible = 0
  val Infected = 1
  val Recovered = 2

  val DaysToRecover = 3
  val Exposure = 2
}

case class Inhabitant(state: Int, days: Int, ageGroup: Int)

/** project plan */
case class Task(title: String, owner: Option[String], duration: Int, start: Int, finish: Int)

case class Dependency(kind: String, lagHours: Int)

object Dependency {
  implicit def asHours(d: Dependency): Int = d.lagHours
}

/** matching of applicants to jobs */
case class Party(label: String, isJob: Boolean, partner: Option[VertexId])

case class Proposal(from: VertexId, score: Int)

object Matching extends Serializable {
  val Nobody = Proposal(Long.MinValue, -1)

  def negotiate(applicantId: VertexId, applicant: Party, jobId: VertexId, job: Party,
      score: Int): Iterator[(VertexId, Proposal)] = job.partner match {
    case Some(p) if p == applicantId && applicant.partner.isEmpty =>
      Iterator((applicantId, Proposal(jobId, score)))          // accepted
    case Some(p) if p == applicantId && applicant.partner != Some(jobId) =>
      Iterator((jobId, Nobody))                                  // the applicant went elsewhere
    case None if applicant.partner.isEmpty =>
      Iterator((jobId, Proposal(applicantId, score)))          // apply
    case _ => Iterator.empty
  }
}

/** organisation chart */
case class Employee(name: String, department: String, salary: Long, payroll: Long, pending: Long)

/** bill of materials */
case class Shipment(carrier: String, days: Int, customs: Int)

/** degrees */
case class Degrees(in: Int, out: Int, volumeIn: Double, volumeOut: Double) {
  def total: Int = in + out
}

/** opinions */
object Opinion {
  val Inertia = 0.3

  // (weighted sum of opinions, weights)
  type Heard = (Double, Double)

  def update(id: VertexId, opinion: Double, heard: Heard): Double = {
    if (heard._2 == 0.0) return opinion
    if (id % 10 == 0) return opinion // stubborn agents
    val mean = heard._1 / heard._2
    Inertia * opinion + (1 - Inertia) * mean
  }

  def talk(t: EdgeTriplet[Double, Int]): Iterator[(VertexId, Heard)] = {
    val w = t.attr.toDouble
    if (t.srcId == t.dstId) return Iterator.empty
    Iterator(
      (t.dstId, (t.srcAttr * w, w)),
      (t.srcId, (t.dstAttr * w * 0.5, w * 0.5)))
  }

  def combine(a: Heard, b: Heard): Heard = (a._1 + b._1, a._2 + b._2)
}

/** Programs whose author knew nothing of what can be lifted: how many of such run on the engines. */
object UnseenPrograms extends Serializable {

  // --- 1. "How do I get the path itself out of the SSSP example?" ------------------------------
  private def shortestPathWithRoute = {
    val sourceId: VertexId = 6L
    new CorpusProgram[(Double, List[VertexId]), Double, (Double, List[VertexId])](
      "unseen: shortest path with its route",
      id => if (id == sourceId) (0.0, List[VertexId](sourceId)) else (Double.PositiveInfinity, List[VertexId]()),
      (src, dst, k) => k + math.abs(math.sin(src * 12.9898 + dst * 78.233)),
      (Double.PositiveInfinity, List[VertexId]()),
      Int.MaxValue,
      EdgeDirection.Out,
      lifts = false)(
      // Vertex Program
      (id, dist, newDist) => if (dist._1 < newDist._1) dist else newDist,
      // Send Message
      triplet => {
        if (triplet.srcAttr._1 < triplet.dstAttr._1 - triplet.attr) {
          Iterator((triplet.dstId,
            (triplet.srcAttr._1 + triplet.attr, triplet.srcAttr._2 :+ triplet.dstId)))
        } else {
          Iterator.empty
        }
      },
      // Merge Message
      (a, b) => if (a._1 < b._1) a else b)
  }

  // --- 2. widest path, functions in an object --------------------------------------------------
  private def widestPath =
    new CorpusProgram[Router, Double, (Double, Int)](
      "unseen: widest path from the gateway",
      id => Router(s"router-$id", (math.abs(id) % 5).toInt, 0.0, Int.MaxValue),
      (_, _, k) => k * 12.5,
      (0.0, Int.MaxValue),
      direction = EdgeDirection.Out)(
      Bandwidth.vprog _, Bandwidth.sendMessage _, Bandwidth.mergeMessage _)

  // --- 3. BFS tree -----------------------------------------------------------------------------
  private def bfsTree = {
    val root = -1L
    val INF = Int.MaxValue
    new CorpusProgram[((Int, VertexId), Boolean), Int, (Int, VertexId)](
      "unseen: BFS levels with parent",
      id => ((if (id == root) 0 else INF, id), id == root),
      (_, _, k) => k,
      (INF, Long.MaxValue),
      12,
      EdgeDirection.Out)(
      {
        case (_, (best, true), _) => (best, true)
        case (_, ((level, parent), false), (l, p)) if l < level => ((l, p), true)
        case (_, old, _) => old
      },
      t => t.srcAttr match {
        case ((level, _), true) if !t.dstAttr._2 => Iterator((t.dstId, (level + 1, t.srcId)))
        case _ => Iterator.empty
      },
      {
        case ((l1, p1), (l2, p2)) =>
          if (l1 < l2) (l1, p1)
          else if (l1 > l2) (l2, p2)
          else (l1, math.min(p1, p2))
      })
  }

  // --- 4. personalised PageRank with deltas ----------------------------------------------------
  private def personalizedPageRank(resetProb: Double, tol: Double, sources: Set[VertexId]) = {
    def vertexProgram(id: VertexId, attr: (Double, Double), msgSum: Double): (Double, Double) = {
      val (oldPR, lastDelta) = attr
      val boost = if (sources.contains(id) && lastDelta < 0.0) resetProb * 10 else 0.0
      val newPR = oldPR + boost + (1.0 - resetProb) * msgSum
      (newPR, newPR - oldPR)
    }
    def sendMessage(edge: EdgeTriplet[(Double, Double), Double]) = {
      if (edge.srcAttr._2 > tol) {
        Iterator((edge.dstId, edge.srcAttr._2 * edge.attr))
      } else {
        Iterator.empty
      }
    }
    def messageCombiner(a: Double, b: Double): Double = a + b

    new CorpusProgram[(Double, Double), Double, Double](
      s"unseen: personalised PageRank, reset $resetProb",
      _ => (0.0, -1.0),
      (_, _, k) => k / 45.0,
      resetProb / (1.0 - resetProb),
      10,
      EdgeDirection.Out)(
      vertexProgram, sendMessage, messageCombiner)
  }

  // --- 5. hubs and authorities -----------------------------------------------------------------
  private def hits =
    new CorpusProgram[Page, Unit, (Double, Double)](
      "unseen: hubs and authorities",
      id => Page("http://example.org/" + id, 1.0, 1.0),
      (_, _, _) => (),
      (0.0, 0.0),
      5,
      EdgeDirection.Both)(
      (_, page, msg) => {
        val (fromHubs, fromAuthorities) = msg
        if (fromHubs == 0.0 && fromAuthorities == 0.0) page
        else page.copy(
          hub = math.log1p(fromAuthorities),
          authority = fromHubs / math.sqrt(1.0 + fromHubs * fromHubs))
      },
      t => Iterator(
        (t.dstId, (t.srcAttr.hub, 0.0)),
        (t.srcId, (0.0, t.dstAttr.authority))),
      (x, y) => (x._1 + y._1, x._2 + y._2))

  // --- 6. k-core -------------------------------------------------------------------------------
  private def kCore(k: Int) =
    new CorpusProgram[Boolean, Int, Int](
      "unseen: k-core by peeling, k = " + k,
      _ => true,
      (_, _, n) => n,
      Int.MaxValue,
      maxIterations = 8)(
      (id, alive, neighbours) => alive && neighbours >= k,
      et => {
        // everybody must get a message, otherwise its vprog is not called
        val toDst = if (et.srcAttr && et.srcId != et.dstId) 1 else 0
        val toSrc = if (et.dstAttr && et.srcId != et.dstId) 1 else 0
        if (!et.srcAttr && !et.dstAttr) Iterator.empty
        else Iterator((et.dstId, toDst), (et.srcId, toSrc))
      },
      _ + _)

  // --- 7. maximal independent set, Luby with fixed priorities -----------------------------------
  private def independentSet = {
    val UNDECIDED = 0
    val IN = 1
    val OUT = 2
    val NOTHING = Long.MinValue

    def message(from: (Int, Long)): (Long, Boolean) =
      if (from._1 == UNDECIDED) (from._2, false)
      else (NOTHING, from._1 == IN)

    new CorpusProgram[(Int, Long), Int, (Long, Boolean)](
      "unseen: maximal independent set",
      id => (0, (id * 2654435761L) & 0x7fffffffL),
      (_, _, k) => k,
      (Long.MaxValue, false),
      12)(
      (id, attr, msg) => {
        val (state, priority) = attr
        if (state != UNDECIDED) attr
        else if (msg._2) (OUT, priority)
        else if (msg._1 < priority) (IN, priority)
        else attr
      },
      triplet => {
        if (triplet.srcId == triplet.dstId) Iterator.empty
        else {
          val a = if (triplet.dstAttr._1 == UNDECIDED) Iterator((triplet.dstId, message(triplet.srcAttr))) else Iterator.empty
          val b = if (triplet.srcAttr._1 == UNDECIDED) Iterator((triplet.srcId, message(triplet.dstAttr))) else Iterator.empty
          a ++ b
        }
      },
      (m, n) => (math.max(m._1, n._1), m._2 || n._2))
  }

  // --- 8. greedy colouring ---------------------------------------------------------------------
  private def colouring =
    new CorpusProgram[Int, String, Set[Int]](
      "unseen: greedy colouring",
      _ => 0,
      (_, _, k) => if (k > 5) "strong" else "weak",
      Set.empty[Int],
      8,
      lifts = false)(
      (_, color, taken) =>
        if (taken.contains(color)) Iterator.from(0).find(c => !taken.contains(c)).get
        else color,
      triplet =>
        // the larger id keeps its colour
        if (triplet.srcId > triplet.dstId) Iterator(triplet.dstId -> Set(triplet.srcAttr))
        else if (triplet.srcId < triplet.dstId) Iterator(triplet.srcId -> Set(triplet.dstAttr))
        else Iterator.empty,
      _ ++ _)

  // --- 9. influence ----------------------------------------------------------------------------
  private def influence(seeds: Set[Long]) = {
    val update = (id: VertexId, user: Follower, pressure: Double) => {
      val total = user.pressure + pressure
      if (user.active) user.copy(pressure = total, fresh = false)
      else if (seeds(id) || total >= user.threshold)
        user.copy(pressure = total, active = true, fresh = true)
      else user.copy(pressure = total)
    }
    val spread = (t: EdgeTriplet[Follower, Double]) => {
      val influencer = t.srcAttr
      val follower = t.dstAttr
      if (influencer.active && influencer.fresh && !follower.active) Iterator((t.dstId, t.attr))
      else Iterator.empty
    }
    new CorpusProgram[Follower, Double, Double](
      "unseen: influence with thresholds",
      id => Follower("user" + id, if (id % 2 == 0) "DE" else "FR", 0.25 + (math.abs(id) % 4) * 0.25),
      (_, _, k) => k / 16.0,
      0.0,
      12,
      EdgeDirection.Out)(update, spread, (a, b) => a + b)
  }

  // --- 10. SIR ---------------------------------------------------------------------------------
  private def epidemic = {
    import Sir._
    new CorpusProgram[Inhabitant, Int, Int](
      "unseen: SIR epidemic with thresholds",
      id => Inhabitant(if (math.abs(id) % 9 == 0) Infected else Susceptible, 0, (math.abs(id) % 4).toInt),
      (_, _, k) => k,
      -1,
      10)(
      (id, person, contacts) => {
        if (contacts < 0) person // first superstep
        else person match {
          case Inhabitant(Susceptible, _, age) if contacts >= Exposure || (age == 3 && contacts > 0) =>
            person.copy(state = Infected, days = 0)
          case Inhabitant(Infected, days, _) if days + 1 >= DaysToRecover =>
            person.copy(state = Recovered, days = days + 1)
          case Inhabitant(Infected, days, age) => Inhabitant(Infected, days + 1, age)
          case _ => person
        }
      },
      triplet => {
        if (triplet.srcAttr.state == Infected) {
          // to itself too, so that it is woken tomorrow
          val self = List((triplet.srcId, 0))
          val msgs =
            if (triplet.dstAttr.state == Susceptible && triplet.attr > 2) (triplet.dstId, 1) :: self
            else self
          msgs.iterator
        } else Iterator.empty
      },
      (a, b) => a + b)
  }

  // --- 11. trust -------------------------------------------------------------------------------
  private def trust(decay: Double, anchors: Array[VertexId]) =
    new CorpusProgram[Option[Double], (Double, String), Option[Double]](
      "unseen: trust decays along the way",
      id => if (anchors.contains(id)) Some(1.0) else None,
      (_, _, k) => (k / 9.0, if (k % 2 == 0) "friend" else "colleague"),
      None,
      12,
      EdgeDirection.Out)(
      (id, mine, offered) => (mine, offered) match {
        case (Some(a), Some(b)) => Some(math.max(a, b))
        case (None, b) => b
        case (a, None) => a
      },
      t => {
        val (strength, _) = t.attr
        t.srcAttr
          .map(_ * decay * strength)
          .filter(v => v > 0.01 && t.dstAttr.forall(_ < v))
          .map(v => (t.dstId, Option(v)))
          .iterator
      },
      (a, b) => if (a.getOrElse(0.0) >= b.getOrElse(0.0)) a else b)

  // --- 12. landmarks within some hops ----------------------------------------------------------
  private def landmarksWithin(maxHops: Int, landmarks: Seq[VertexId]) = {
    type SPMap = Map[VertexId, Int]

    def makeMap(x: (VertexId, Int)*): SPMap = Map(x: _*)

    def incrementMap(spmap: SPMap): SPMap =
      spmap.filter(_._2 < maxHops).map { case (v, d) => v -> (d + 1) }

    def addMaps(spmap1: SPMap, spmap2: SPMap): SPMap =
      (spmap1.keySet ++ spmap2.keySet).map { k =>
        k -> math.min(spmap1.getOrElse(k, Int.MaxValue), spmap2.getOrElse(k, Int.MaxValue))
      }.toMap

    def vertexProgram(id: VertexId, attr: SPMap, msg: SPMap): SPMap = addMaps(attr, msg)

    def sendMessage(edge: EdgeTriplet[SPMap, Int]): Iterator[(VertexId, SPMap)] = {
      val newAttr = incrementMap(edge.dstAttr)
      if (edge.srcAttr != addMaps(newAttr, edge.srcAttr)) Iterator((edge.srcId, newAttr))
      else Iterator.empty
    }

    new CorpusProgram[SPMap, Int, SPMap](
      s"unseen: landmarks within $maxHops hops",
      id => if (landmarks.contains(id)) makeMap(id -> 0) else makeMap(),
      (_, _, k) => k,
      makeMap())(vertexProgram, sendMessage, addMaps)
  }

  // --- 13. critical path -----------------------------------------------------------------------
  private def criticalPath =
    new CorpusProgram[Task, Dependency, Int](
      "unseen: earliest start by the critical path",
      id => {
        val duration = (math.abs(id) % 8 + 1).toInt
        Task(s"task $id", if (id % 3 == 0) Some("anna") else None, duration, 0, duration)
      },
      (_, _, k) => Dependency(if (k < 3) "finish-to-start" else "lagged", k / 3),
      0,
      direction = EdgeDirection.Out)(
      (_, task, earliest) => {
        val start = math.max(task.start, earliest)
        task.copy(start = start, finish = start + task.duration)
      },
      triplet => {
        // the ids are in topological order; all else are data errors
        val lag: Int = triplet.attr
        val ready = triplet.srcAttr.finish + lag
        if (triplet.srcId < triplet.dstId && ready > triplet.dstAttr.start)
          Iterator((triplet.dstId, ready))
        else
          Iterator.empty
      },
      (a, b) => math.max(a, b))

  // --- 14. opinions ----------------------------------------------------------------------------
  private def opinions =
    new CorpusProgram[Double, Int, (Double, Double)](
      "unseen: opinions are averaged",
      id => (math.abs(id) % 13) / 12.0,
      (_, _, k) => k,
      (0.0, 0.0),
      6)(
      Opinion.update _, Opinion.talk _, Opinion.combine _)

  // --- 15. majority ----------------------------------------------------------------------------
  private def majority =
    new CorpusProgram[String, Int, (Int, Int, Int)](
      "unseen: majority of three parties",
      id => math.abs(id % 3 + id % 5) match {
        case 0 | 3 => "red"
        case 1 => "green"
        case _ => "blue"
      },
      (_, _, k) => k,
      (0, 0, 0),
      5,
      lifts = false)(
      (_, party, votes) => {
        val (r, g, b) = votes
        if (r > g && r > b) "red"
        else if (g > r && g > b) "green"
        else if (b > r && b > g) "blue"
        else party
      },
      triplet => {
        def ballot(party: String) = party match {
          case "red" => (1, 0, 0)
          case "green" => (0, 1, 0)
          case "blue" => (0, 0, 1)
        }
        Iterator((triplet.dstId, ballot(triplet.srcAttr)), (triplet.srcId, ballot(triplet.dstAttr)))
      },
      { case ((r1, g1, b1), (r2, g2, b2)) => (r1 + r2, g1 + g2, b1 + b2) })

  // --- 16. community by least label over live links ---------------------------------------------
  private def communities =
    new CorpusProgram[VertexId, Boolean, VertexId](
      "unseen: community by least label",
      id => id,
      (_, _, k) => k <= 4,
      Long.MaxValue,
      direction = EdgeDirection.Either)(
      (id, attr, msg) => math.min(attr, msg),
      edge => {
        for {
          (to, label) <- Iterator((edge.dstId, edge.srcAttr), (edge.srcId, edge.dstAttr))
          if edge.attr && label < edge.otherVertexAttr(if (to == edge.dstId) edge.srcId else edge.dstId)
        } yield (to, label)
      },
      (a, b) => math.min(a, b))

  // --- 17. matching ----------------------------------------------------------------------------
  private def matching = {
    import Matching._
    new CorpusProgram[Party, Int, Proposal](
      "unseen: applicants propose to jobs",
      id => if (id % 2 == 0) Party("applicant", false, None) else Party("job", true, None),
      (_, _, k) => k,
      Nobody,
      9)(
      (id, party, offer) =>
        if (party.isJob) {
          if (offer == Nobody) party.copy(partner = None)
          else if (party.partner.isDefined) party
          else party.copy(partner = Some(offer.from))
        } else party.partner match {
          case None if offer != Nobody => party.copy(partner = Some(offer.from))
          case _ => party
        },
      t => (t.srcAttr.isJob, t.dstAttr.isJob) match {
        case (false, true) => negotiate(t.srcId, t.srcAttr, t.dstId, t.dstAttr, t.attr)
        case (true, false) => negotiate(t.dstId, t.dstAttr, t.srcId, t.srcAttr, t.attr)
        case _ => Iterator.empty
      },
      (a, b) =>
        if (a.score > b.score) a
        else if (a.score < b.score) b
        else if (a.from <= b.from) a
        else b)
  }

  // --- 18. payroll -----------------------------------------------------------------------------
  private def payroll =
    new CorpusProgram[Employee, Int, Long](
      "unseen: payroll rolled up to managers",
      id => {
        val salary = 30000L + math.abs(id) * 125L
        Employee(s"E$id", if (id < 0) "board" else "staff", salary, 0L, salary)
      },
      (_, _, k) => k,
      0L,
      6,
      EdgeDirection.Out)(
      (id, e, amount) =>
        if (amount == 0L) e.copy(payroll = e.salary)
        else e.copy(payroll = e.payroll + amount, pending = amount),
      t => {
        val employee = t.srcAttr
        val managerId = t.dstId
        if (managerId == t.srcId) Iterator.empty
        else if (employee.pending > 0) Iterator.single((managerId, employee.pending))
        else Iterator.empty
      },
      (a: Long, b: Long) => a + b)

  // --- 19. lead time ---------------------------------------------------------------------------
  private def leadTime = {
    // extra days by zone of customs
    val customsDelay = Map(0 -> 0, 1 -> 2, 2 -> 5)
    val alarmDays = 30

    new CorpusProgram[((String, Int), (Int, Boolean)), Shipment, Int](
      "unseen: lead time of assemblies",
      id => (("site" + math.abs(id) % 4, (math.abs(id) % 6).toInt), (0, false)),
      (_, dst, k) => Shipment(if (k > 4) "sea" else "road", k, (math.abs(dst) % 4).toInt),
      0,
      7,
      EdgeDirection.In)(
      {
        case (_, ((site, own), (lead, _)), parts) =>
          val days = math.max(lead, own + parts)
          ((site, own), (days, days > alarmDays))
      },
      // an edge leads from an assembly to its part, so news go backwards
      { et: EdgeTriplet[((String, Int), (Int, Boolean)), Shipment] =>
        val ((_, own), (lead, _)) = et.srcAttr
        val (partLead, _) = et.dstAttr._2
        val arrives = partLead + et.attr.days + customsDelay.getOrElse(et.attr.customs, 1)
        if (own + arrives > lead && et.srcId != et.dstId) Iterator(et.srcId -> arrives)
        else Iterator.empty
      },
      (x, y) => x max y)
  }

  // --- 20. degrees -----------------------------------------------------------------------------
  private def degrees =
    new CorpusProgram[Degrees, Double, Array[Double]](
      "unseen: degrees and volumes",
      _ => Degrees(0, 0, 0.0, 0.0),
      (_, _, k) => k * 0.1,
      Array.fill(4)(0.0),
      1,
      lifts = false)(
      (_, d, m) => Degrees(d.in + m(0).toInt, d.out + m(1).toInt, d.volumeIn + m(2), d.volumeOut + m(3)),
      t => Iterator(
        (t.dstId, Array(1.0, 0.0, t.attr, 0.0)),
        (t.srcId, Array(0.0, 1.0, 0.0, t.attr))),
      (a, b) => {
        val sum = new Array[Double](a.length)
        var i = 0
        while (i < a.length) {
          sum(i) = a(i) + b(i)
          i += 1
        }
        sum
      })

  def all: Seq[CorpusProgram[_, _, _]] = Seq(
    shortestPathWithRoute,
    widestPath,
    bfsTree,
    personalizedPageRank(0.15, 0.001, Set(3L, 9L, -8L)),
    hits,
    kCore(5),
    independentSet,
    colouring,
    influence(Set(3L, 6L, -1L)),
    epidemic,
    trust(0.9, Array(9L, 12L)),
    landmarksWithin(3, Seq(30L, -15L, 60L)),
    criticalPath,
    opinions,
    majority,
    communities,
    matching,
    payroll,
    leadTime,
    degrees)
}
