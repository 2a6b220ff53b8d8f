import { parseAddress, parseBlock } from './cidr.ts'

/** Compiles blocks, one or a list, to a test of addresses; what is no block holds none. */
export function compileBlocks(value: unknown): (address: unknown) => boolean {
  const blocks = (Array.isArray(value) ? value : [value]).map(parseBlock)
  return (attribute) => {
    const address = parseAddress(attribute)
    return address !== undefined && blocks.some((contains) => contains?.(address))
  }
}
