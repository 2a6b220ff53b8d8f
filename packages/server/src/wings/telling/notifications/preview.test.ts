import { expect, it } from 'vitest'
import { type PastEvent, previewOf } from './preview.ts'

const past = (name: PastEvent['name'], payload: Record<string, unknown>): PastEvent => ({
  name,
  payload,
  projectName: 'Web shop',
  occurredAt: new Date('2026-11-23T12:00:00Z'),
})
const flag = (name: string) => ({ flag: { name, key: name.toLowerCase() } })
const events = [
  past('flag.updated', flag('Checkout')),
  past('flag.updated', flag('Sandbox')),
  past('flag.created', flag('Sandbox')),
  past('webhook.disabled', { webhook: { name: 'Sandbox' } }),
  past('project.updated', { previousName: 'Sandbox' }),
]

it('counts what passes, by event and by keyword, with safety events apart', () => {
  const preview = previewOf({ mode: 'EXCLUDE', keywords: ['SAND', 'box', 'absent'] }, events)
  expect(preview).toMatchObject({
    events: 4,
    passed: 2,
    safety: 1,
    byEvent: [
      { event: 'flag.updated', passed: 1, stopped: 1 },
      { event: 'flag.created', passed: 0, stopped: 1 },
      { event: 'project.updated', passed: 1, stopped: 0 },
    ],
    keywords: [
      { keyword: 'SAND', matches: 2 },
      { keyword: 'box', matches: 2 },
      { keyword: 'absent', matches: 0 },
    ],
    passing: [
      { event: 'flag.updated', name: 'Checkout', project: 'Web shop' },
      { event: 'project.updated', name: null },
    ],
    stopped: [{ name: 'Sandbox' }, { name: 'Sandbox' }],
  })
  expect(previewOf({ mode: 'INCLUDE', keywords: ['sand'] }, events)).toMatchObject({ events: 4, passed: 2, safety: 1 })
})

it('passes everything without a filter, and shows five of each sort', () => {
  expect(previewOf(null, events)).toMatchObject({ events: 4, passed: 4, safety: 1, keywords: [], stopped: [] })
  const many = Array.from({ length: 9 }, (_, at) => past('flag.created', flag(`Flag ${at}`)))
  const { passing, stopped } = previewOf({ mode: 'EXCLUDE', keywords: ['flag 8'] }, many)
  expect([passing.map(({ name }) => name), stopped.length]).toEqual([
    ['Flag 0', 'Flag 1', 'Flag 2', 'Flag 3', 'Flag 4'],
    1,
  ])
})

it('names the flag of a publish of one flag, else the environment', () => {
  const published = (...names: string[]) =>
    past('flag.published', { environment: { name: 'Production' }, flags: names.map((name) => ({ name, key: name })) })
  const { passing } = previewOf(null, [published('Checkout'), published('One', 'Two'), published()])
  expect(passing.map(({ name }) => name)).toEqual(['Checkout', 'Production', 'Production'])
})
