import { expect, test } from 'vitest'
import { type GatedRun, refusedByGate } from './gate.ts'

const run = (products: number, metrics: Partial<GatedRun['metrics']> | null): GatedRun => ({
  products,
  metrics: metrics && { recall20: null, mrr20: null, coverage20: 0.4, ...metrics },
})
const active = run(100, { recall20: 0.2 })

test.each([
  ['the first run with a product', run(1, null), null, null],
  ['the first run without one', run(0, null), null, 'The model has no product.'],
  ['one that is nearly as good', run(100, { recall20: 0.18 }), active, null],
  [
    'one that is worse',
    run(100, { recall20: 0.1799 }),
    active,
    'Recall@20 is 0.1799, and the active run has 0.2000. At least 90 % of it is needed.',
  ],
  ['one with half the coverage', run(100, { recall20: 0.3, coverage20: 0.2 }), active, null],
  [
    'one with less',
    run(100, { recall20: 0.3, coverage20: 0.19 }),
    active,
    'Coverage@20 is 0.1900, and the active run has 0.4000. At least 50 % of it is needed.',
  ],
  [
    'one of sessions that is worse',
    run(100, { mrr20: 0.26 }),
    run(100, { mrr20: 0.3 }),
    'MRR@20 is 0.2600, and the active run has 0.3000. At least 90 % of it is needed.',
  ],
  ['one after a run that got nothing right', run(100, { recall20: 0 }), run(100, { recall20: 0 }), null],
  ['one without figures and with half the products', run(50, null), active, null],
  [
    'one without figures and with fewer',
    run(49, null),
    run(100, null),
    'The model has 49 products, and the active one has 100. At least half of them are needed.',
  ],
  [
    'one without figures and with one product',
    run(1, null),
    run(100, null),
    'The model has 1 product, and the active one has 100. At least half of them are needed.',
  ],
  ['one without products after another', run(0, { recall20: 1 }), active, 'The model has no product.'],
])('%s', (_name, next, before, reason) => {
  expect(refusedByGate(next, before)).toBe(reason)
})
