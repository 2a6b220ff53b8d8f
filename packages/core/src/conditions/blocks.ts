import { parseAddress, parseBlock } from './cidr.ts'

/** Compiles one block or a list of blocks to a test of addresses. An invalid block contains no address. */
export function compileBlocks(value: unknown): (address: unknown) => boolean {
  const blocks = (Array.isArray(value) ? value : [value]).map(parseBlock)
  return (attribute) => {
    const address = parseAddress(attribute)
    return address !== undefined && blocks.some((contains) => contains?.(address))
  }
}
