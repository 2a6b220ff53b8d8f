// What few data files need. The browser scripts load it as a second file, so an older script can meet a newer file:
// add to it, but change nothing that is there.
export { hashId, holdsHash } from './bucketing/hashed-id.ts'
export { folded, rareTests as tests } from './conditions/rare-operators.ts'
export { memberOf } from './conditions/segment.ts'
export { limitOf } from './limit.ts'
