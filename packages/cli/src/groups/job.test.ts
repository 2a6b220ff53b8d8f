import { expect, it } from 'vitest'
import { labelOf } from './job.ts'

it.each([
  ['rows', 'Rows'],
  ['rowsSkipped', 'Rows skipped'],
  ['runId', 'Run id'],
  ['runNumber', 'Run number'],
])('the count %s is labelled %s', (name, label) => expect(labelOf(name)).toBe(label))
