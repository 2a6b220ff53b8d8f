import { expect, it } from 'vitest'
import { compileBlocks } from './no-blocks.ts'

it('throws when a flag is compiled, so that evaluation gives an error instead of a wrong value', () => {
  expect(compileBlocks).toThrow(TypeError)
})
