import { ensure } from './record.ts'

/** Stands in for `blocks.ts` in the scripts for browsers: a page does not know its address, so nobody has to load it. */
export function compileBlocks(): never {
  // The flag answers PARSE_ERROR, that is the code's default, which is safer than to guess whom it was meant for.
  ensure(false)
}
