import { booleanFlag } from './boolean-flag.ts'
import { dataFile, type TestProject, type TestService } from './service.ts'

/** Calls as an administrator and returns `data`. Throws unless the call succeeds. */
export async function succeed(
  service: TestService,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
) {
  const answer = await service.call(service.people.admin, method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
  return answer.body.data
}

export interface TestFlag {
  id: string
  shortId: number
  key: string
  path: string
  /** Ids of the variations by key. */
  ids: Record<string, string>
  /** Paths of the flag in the two built-in environments. */
  production: string
  development: string
}

export async function newFlag(
  service: TestService,
  project: TestProject,
  body: { key: string } & Record<string, unknown>,
): Promise<TestFlag> {
  const flag = await succeed(service, 'POST', `${project.path}/flags`, { ...booleanFlag(body.key), ...body })
  const path = `${project.path}/flags/${flag.id}`
  const pairs = flag.variations.map(({ key, id }: { key: string; id: string }) => [key, id])
  const envs = `${path}/envs`
  return {
    id: flag.id,
    shortId: flag.shortId,
    key: flag.key,
    path,
    ids: Object.fromEntries(pairs),
    production: `${envs}/${project.production.id}`,
    development: `${envs}/${project.development.id}`,
  }
}

export const stringVariations = (...keys: string[]) => keys.map((key) => ({ name: key, key, value: `value of ${key}` }))

/** A STRING flag with a variation for each key; the first is the default. */
export const stringFlag = (key: string, ...variationKeys: [string, string, ...string[]]) => ({
  key,
  type: 'STRING',
  variations: stringVariations(...variationKeys),
  defaultVariationKey: variationKeys[0],
})

export const delivery = (name: string, more: Record<string, unknown> = {}) => ({
  type: 'TARGETED_DELIVERY',
  name,
  variationKey: 'on',
  ...more,
})

export const abTest = (name: string, more: Record<string, unknown> = {}) => ({
  type: 'AB_TEST',
  name,
  variations: [
    { variationKey: 'off', weight: 5000 },
    { variationKey: 'on', weight: 5000 },
  ],
  baselineVariationKey: 'off',
  ...more,
})

export const addRule = (service: TestService, environmentPath: string, rule: Record<string, unknown>) =>
  succeed(service, 'POST', `${environmentPath}/rules`, rule)

export const publish = (service: TestService, project: TestProject, body?: Record<string, unknown>) =>
  succeed(service, 'POST', `${project.path}/environments/${project.production.id}/publish`, body)

/** The state of production in the flag object. */
export async function inProduction(service: TestService, flag: TestFlag) {
  const { environments } = await succeed(service, 'GET', flag.path)
  return environments.find(({ envId }: { envId: string }) => flag.production.endsWith(envId))
}

/**
 * The fragment that an SDK in production gets for the flag, without rules as an empty list; undefined if it is not in
 * the file.
 */
export async function served(service: TestService, project: TestProject, key: string) {
  const flag = (await dataFile(service, project.production.sdkKey)).flags[key]
  return flag && { rules: [], ...flag }
}

export const nobody = '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11'
