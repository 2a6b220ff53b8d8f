// What few data files need. The browser scripts load it as a second file, so an older script can meet a newer file:
// add to it, but change nothing that is there.
export { hashId, holdsHash } from './hashed-id.ts'
export { rareTests as tests } from './rare-operators.ts'
