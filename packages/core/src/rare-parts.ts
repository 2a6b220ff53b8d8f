// What few data files need. The browser scripts load it as a second file, so an older script can meet a newer file:
// add to it, but change nothing that is there.
export { hashId, holdsHash } from './hashed-id.ts'
export { limitOf } from './limit.ts'
export { folded, rareTests as tests } from './rare-operators.ts'
export { memberOf } from './segment.ts'
