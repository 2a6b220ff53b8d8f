import { bucket } from '@svc/core'
import { succeed } from './flags.ts'
import { createProject, dataFile, type TestProject, type TestService } from './service.ts'

/** A running web experiment, half of whose visitors get code. */
export interface CodedExperiment {
  id: string
  shortId: number
  path: string
  project: TestProject
  /** Visitors of a variation, always the same ones. */
  visitors(variationKey: string, count: number): string[]
}

export const failingCode = "document.title = 'From € 9'\nnull.price"

export async function codedExperiment(
  service: TestService,
  body: object = {},
  project?: TestProject,
): Promise<CodedExperiment> {
  const home = project ?? (await createProject(service, service.people.admin, 'WEB'))
  const made = await succeed(service, 'POST', `${home.path}/experiments`, {
    name: 'Price in the headline',
    pages: [{ key: 'all', name: 'All', conditions: { all: [] } }],
    variations: [
      { key: 'original', weight: 5000 },
      { key: 'price', weight: 5000 },
    ],
    ...body,
  })
  const path = `${home.path}/experiments/${made.id}`
  await succeed(service, 'PUT', `${path}/variations/price/code`, { js: failingCode })
  await succeed(service, 'POST', `${path}/launch`)
  return {
    ...{ id: made.id, shortId: made.shortId, path, project: home },
    visitors(variationKey, count) {
      const found: string[] = []
      for (let each = 0; found.length < count; each++) {
        const given = bucket(`${made.salt}.split`, `visitor-${each}`) < 5000 ? 'original' : 'price'
        if (given === variationKey) found.push(`visitor-${each}`)
      }
      return found
    },
  }
}

/** What the data file calls the rule of an experiment. */
export async function ruleNameOf(service: TestService, { project, shortId }: CodedExperiment): Promise<string> {
  const { flags } = await dataFile(service, project.production.sdkKey)
  return flags[`x${shortId}`].rules[0].id
}

/** Sends errors as the script does. */
export function sendErrors(service: TestService, experiment: CodedExperiment, errors: readonly object[]) {
  const { sdkKey } = experiment.project.production
  const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36' }
  const events = errors.map((error) => ({
    ...{ type: 'error', id: crypto.randomUUID(), ts: Date.now(), variationKey: 'price', line: 2 },
    ...{ message: 'TypeError: null has no price' },
    ...error,
  }))
  return service.call(null, 'POST', '/api/sdk/v1/events', { sdkKey, events }, browser)
}
