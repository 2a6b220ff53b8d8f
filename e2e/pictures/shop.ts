import { prepare } from '../dashboard/calls.ts'
import { twoOrganizations } from '../dashboard/people.ts'

/** One organization with one project. */
export const acme = { organizations: [{ ...twoOrganizations.organizations[0], projects: [{ name: 'Web shop' }] }] }

/** Where the project is in the dashboard. */
export const shop = '/1-acme/1-web-shop'

/** The address of its most interesting flag, in the dashboard and in the API. */
export const checkout = '/flags/one-page-checkout'

/** Fills the project with what a shop could have: an audience, flags with rules, and changes that are not published. */
export async function fillShop(url: string): Promise<void> {
  const call = (method: string, path: string, body?: object) => prepare(url, method, `/api/v1/projects/1${path}`, body)
  const createFlag = (name: string, key: string, tags: string[], more = {}) =>
    call('POST', '/flags', {
      name,
      key,
      tags,
      type: 'BOOLEAN',
      variations: [
        { name: 'Off', key: 'off', value: 'false' },
        { name: 'On', key: 'on', value: 'true' },
      ],
      defaultVariationKey: 'off',
      ...more,
    })
  const rollout = (name: string, more = {}) => ({ type: 'TARGETED_DELIVERY', name, variationKey: 'on', ...more })

  const beta = await call('POST', '/audiences', {
    name: 'Beta users',
    conditions: { all: [{ attribute: 'plan', operator: 'in', value: ['beta', 'pro'] }] },
  })
  await createFlag('Legacy cart', 'legacy-cart', ['cart'])
  await createFlag('New search ranking', 'new-search-ranking', ['search'])
  await createFlag('Delivery dates', 'delivery-dates', ['checkout'])
  await createFlag('Gift cards', 'gift-cards', ['payments'])
  await createFlag('One-page checkout', 'one-page-checkout', ['checkout'])
  const rules = `${checkout}/envs/production/rules`
  const benelux = await call(
    'POST',
    rules,
    rollout('Beta users in Benelux', {
      audienceIds: [beta.id],
      conditions: { all: [{ attribute: 'country', operator: 'in', value: ['NL', 'BE', 'LU'] }] },
      trafficAllocation: 2500,
    }),
  )
  await call('POST', rules, {
    type: 'AB_TEST',
    name: 'One page for all',
    trafficAllocation: 2500,
    variations: [
      { variationKey: 'off', weight: 5000 },
      { variationKey: 'on', weight: 5000 },
    ],
    baselineVariationKey: 'off',
  })
  const old = await call('POST', rules, rollout('Old beta'))
  await call('POST', `${checkout}/envs/development/rules`, rollout('Beta users in Benelux', { audienceIds: [beta.id] }))
  for (const environment of ['production', 'development']) {
    for (const flag of ['one-page-checkout', 'delivery-dates', 'new-search-ranking'])
      await call('POST', `/flags/${flag}/envs/${environment}/run`)
  }
  await call('PATCH', `${rules}/${benelux.id}`, { trafficAllocation: 5000 })
  await call('DELETE', `${rules}/${old.id}`)
}
