import { createClient } from '../../packages/sdk/src/index.ts'
import type { Results } from '../../packages/server/src/wings/measuring/results/index.ts'
import { abTest } from '../../packages/server/testing/flags.ts'
import { addProject, createFlag, inLanes, type Site } from '../site.ts'
import { randomOf } from '../statistics/random.ts'

const clients = 8
const refreshes = 2
const dayMs = 86_400_000

/** Equal tests. Each has its own flag and its own metric, and all have the same visitors. */
export interface Kind {
  /** The seed of salts and conversions, so that each run gives the same figures. */
  seed: number
  tests: number
  unitsPerVariation: number
  /** How many of the visitors of a variation convert. */
  rates: Record<Variation, number>
}

type Variation = 'on' | 'off'
export type Counts = Record<Variation, { units: number; conversions: number }>

/** A test that runs, and what clients have seen of it. */
interface OpenTest {
  flagKey: string
  eventKey: string
  path: string
  saw: Counts
}

export interface Opened {
  sdkKey: string
  tests: OpenTest[]
}

/** A running service. */
type Service = Pick<Site, 'call' | 'url'>

export interface Outcome {
  results: Results
  saw: Counts
}

export async function openTests(site: Service, { seed, tests }: Kind): Promise<Opened> {
  const project = await addProject(site, 0)
  const { address, production } = project
  const environments = await site.call<{ id: string; sdkKey: string }[]>('GET', `${address}/environments`)
  const opened: OpenTest[] = []
  await inLanes([...Array(tests).keys()], async (number) => {
    const [flagKey, eventKey] = [`flag-${number}`, `paid-${number}`]
    await site.call('POST', `${address}/metrics`, {
      ...{ name: eventKey, key: eventKey, type: 'PROPORTION', eventKey },
      ...{ conversionWindowHours: 1, direction: 'INCREASE' },
    })
    const flag = await createFlag(site, project, flagKey)
    const path = `${address}/flags/${flag.id}/envs/${production}`
    const { id } = await site.call<{ id: string }>(
      'POST',
      `${path}/rules`,
      abTest('Test', {
        salt: `${seed}-${number}`,
        metrics: { primary: [eventKey] },
        // Visitors convert at once, and windows are still open when results are read.
        statistics: { test: 'FIXED_HORIZON', inProgressConversions: 'INCLUDE' },
      }),
    )
    await site.call('POST', `${path}/run`)
    const saw = { on: { units: 0, conversions: 0 }, off: { units: 0, conversions: 0 } }
    opened[number] = { flagKey, eventKey, path: `${address}/flags/${flag.id}/rules/${id}/results`, saw }
  })
  return { sdkKey: environments.find(({ id }) => id === production)!.sdkKey, tests: opened }
}

/** Each visitor gets all flags from an SDK, and converts by what the flags say. */
export async function send(
  site: Service,
  { seed, unitsPerVariation, rates }: Kind,
  { sdkKey, tests }: Opened,
): Promise<void> {
  const visitors = [...Array(2 * unitsPerVariation).keys()].values()
  const visit = async () => {
    const client = createClient({ sdkKey, baseUrl: site.url(), pollIntervalMs: dayMs })
    await client.ready
    for (const visitor of visitors) {
      const context = { targetingKey: `visitor-${visitor}` }
      // A generator takes four numbers from its seed on.
      const random = randomOf(seed + 4 * visitor)
      for (const { flagKey, eventKey, saw } of tests) {
        const variation = client.getBoolean(flagKey, false, context) ? 'on' : 'off'
        const hasPaid = random.uniform() < rates[variation]
        if (hasPaid) client.track(eventKey, { context })
        saw[variation].units += 1
        saw[variation].conversions += Number(hasPaid)
      }
      await client.flush()
    }
    await client.close()
    if (client.droppedEvents > 0) throw new Error(`the SDK dropped ${client.droppedEvents} events`)
  }
  await Promise.all(Array.from({ length: clients }, visit))
}

/** Takes a snapshot of each test and reads its results. */
export async function resultsOf({ call }: Service, { tests }: Opened): Promise<Outcome[]> {
  const since = new Date().toISOString()
  const outcomes: Outcome[] = []
  await inLanes(
    [...tests.entries()],
    async ([place, { path, saw }]) => {
      let results: Results & { refreshing?: boolean }
      // The hourly snapshot of the rule can be under way.
      do results = await call('POST', `${path}/refresh`)
      while (results.refreshing || !results.dataThrough || results.dataThrough < since)
      outcomes[place] = { results, saw }
    },
    refreshes,
  )
  return outcomes
}

export const variationOf = ({ results }: Outcome, wanted: Variation) =>
  results.metrics[0]!.variations[results.units.variations.findIndex(({ key }) => key === wanted)]!

/** What results say that clients have seen. */
export function countsOf(outcome: Outcome): Counts {
  const of = (variation: Variation) => {
    const { units, sum } = variationOf(outcome, variation)
    return { units, conversions: sum }
  }
  return { on: of('on'), off: of('off') }
}
