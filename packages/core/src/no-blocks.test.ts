import { expect, it } from 'vitest'
import { compileBlocks } from './no-blocks.ts'

it('fails when a flag is compiled, so that the flag is an error and none is wrong', () => {
  expect(compileBlocks).toThrow(TypeError)
})
