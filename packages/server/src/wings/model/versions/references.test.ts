import { expect, it } from 'vitest'
import { ruleReferences, unknownReferences } from './references.ts'

it('names what the project does not have, and where', () => {
  const conditions = { all: [{ segment: 'vip' }, { not: { audience: 'x'.repeat(129) } }] }
  const references = ruleReferences({ audienceIds: ['beta', 'staff'], conditions })
  expect(unknownReferences(references, new Set(['beta']))).toEqual([
    { path: ['audienceIds', 1], message: 'This project has no audience staff.' },
    { path: ['conditions', 'all', 0, 'segment'], message: 'This project has no segment vip.' },
    { path: ['conditions', 'all', 1, 'not', 'audience'], message: 'This project has no audience with this id.' },
  ])
})
