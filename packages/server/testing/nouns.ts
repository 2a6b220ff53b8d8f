import { idFieldOf, nouns, type PlainNoun, plainNouns } from '../src/catalogue/nouns.ts'
import { proportion } from './metrics.ts'

/** What creates one of each plain noun. Their names are different each time. */
const bodies: Record<PlainNoun, () => { name: string }> = {
  audience: () => ({ name: newName(), conditions: { attribute: 'country', operator: 'equals', value: 'NL' } }),
  segment: () => ({ name: newName() }),
  metric: () => proportion(newName()),
  catalog_source: () => ({ name: newName(), type: 'PRODUCTS' }),
  dataset: () => ({ name: newName(), kind: 'INTERACTIONS' }),
  recommendation_model: () => ({ name: newName(), strategy: 'SIMILAR' }),
  placement: () => ({ name: newName(), variants: { default: { strategies: ['RECENTLY_VIEWED'] } } }),
  exclusion_group: () => ({ name: newName() }),
  holdout: () => ({ name: newName(), share: 100 }),
}

const newName = () => `n-${crypto.randomUUID()}`

/** Each plain noun, with the end of the ids of its operations, the last part of its address, and a body that creates one. */
export const plainKinds = plainNouns.map((noun) => {
  const { path, param } = nouns[noun].address
  const id = idFieldOf(noun).slice(0, -'Id'.length)
  return { noun, operation: `${id.charAt(0).toUpperCase()}${id.slice(1)}`, path, param, body: bodies[noun] }
})
