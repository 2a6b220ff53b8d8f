import { expect, test } from 'vitest'
import { streamLimits } from './limits.ts'

test.each([
  [1_000, 1_048_576, [20_000, 10_000, 1_000]],
  [1_000, null, [20_000, 10_000, 1_000]],
  [1_000, 1_024, [614, 614, 307]],
  [20_000, 1_048_576, [20_000, 10_000, 10_000]],
  [5, 1, [2, 2, 1]],
] as const)('with %i for each address and %s open files', (perAddress, openFiles, [node, key, address]) =>
  expect(streamLimits(perAddress, openFiles)).toEqual({
    streamsPerNode: node,
    streamsPerKey: key,
    streamsPerAddress: address,
  }),
)
