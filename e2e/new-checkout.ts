import { booleanFlag } from '../packages/server/testing/boolean-flag.ts'
import type { OpenService } from './service.ts'

/** Creates the flag of the examples: paused in production, `on` for everyone when it runs. */
export async function makeNewCheckout({ call }: OpenService) {
  const { id } = await call('POST', '/api/v1/projects', { name: 'Web shop' })
  const projectUrl = `/api/v1/projects/${id}`
  const environments = await call('GET', `${projectUrl}/environments`)
  const production = environments.find(({ key }: { key: string }) => key === 'production')
  const flag = await call('POST', `${projectUrl}/flags`, booleanFlag('new-checkout'))
  const flagUrl = `${projectUrl}/flags/${flag.id}/envs/${production.id}`
  await call('POST', `${flagUrl}/rules`, { type: 'TARGETED_DELIVERY', name: 'Everybody', variationKey: 'on' })
  return { flagUrl, environmentUrl: `${projectUrl}/environments/${production.id}`, sdkKey: production.sdkKey as string }
}
