export type { Best, Ranked } from './best.ts'
export { best, rankedBy } from './best.ts'
export type { Model } from './bytes.ts'
export { bytesOf, modelOf, NotAModel } from './bytes.ts'
export type { Choice, Metrics, Recommend } from './evaluation.ts'
export {
  betas,
  chooseDamping,
  fromRanked,
  gammas,
  holdoutFrom,
  judged,
  judgeSessions,
  judgeUnits,
  splitAt,
} from './evaluation.ts'
export type { GatedRun } from './gate.ts'
export { refusedByGate } from './gate.ts'
export type { Occurrences } from './likelihood.ts'
export { belongTogether, logLikelihoodRatio, significantRatio } from './likelihood.ts'
export type { NeighbourSettings, Neighbours } from './neighbours.ts'
export { cosine, fromNeighbours, mostNeighbours, neighbours, neighboursByBeta, withGamma } from './neighbours.ts'
export { popular, popularity, ranked, type Tally, trend } from './popularity.ts'
export type {
  Bits,
  Candidate,
  LeftOut,
  Pin,
  RankedList,
  RankingRequest,
  Shelf,
  StrategyList,
  TimedPin,
} from './ranking.ts'
export { availabilities, bitsOf, pinsAt, rank } from './ranking.ts'
export type { Interactions, Lists, Numbering, Rows } from './rows.ts'
export { byUnit, degreesOf, listCount, listOf, listsOf, mostOfRow, numbered, rowsOf, transposed } from './rows.ts'
export type { SessionIndex, Sessions } from './sessions.ts'
export { fromSessions, sessionGapMs, sessionIndex, sessionSettings, sessionsOf } from './sessions.ts'
export type { ProductContent } from './tokens.ts'
export { mostProductsOfToken, tokenRows, tokensOf } from './tokens.ts'
