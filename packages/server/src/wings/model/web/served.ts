import { changesSomething, noContent, type WebContent } from './content.ts'

interface Missing {
  code: 'NOT_SERVED_YET'
  message: string
}

/** What decides the variation of a visitor besides the weights. */
interface Assignment {
  sticky: boolean
  bucketBy: string
}

const targetingKey = 'targetingKey'

/**
 * What the script does not do yet. It leaves visitors out of such an experiment, in every variation, or treats them
 * otherwise than the experiment says, and nobody would see why.
 */
export function notServedYet(
  { pages, variations }: Pick<WebContent, 'pages' | 'variations'>,
  tested: readonly { id: string; key: string }[],
  { sticky, bucketBy }: Assignment = { sticky: false, bucketBy: targetingKey },
): Missing[] {
  // Without content, SDKs alone read the variation, and they can do all of this.
  const acts = pages.length > 0 || tested.some(({ id }) => changesSomething(variations[id] ?? noContent))
  const found = [
    ...(acts && sticky ? ['sticky is true. Use false'] : []),
    ...(acts && bucketBy !== targetingKey ? [`bucketBy is ${bucketBy}. Use ${targetingKey}`] : []),
  ]
  return found.map((what) => ({ code: 'NOT_SERVED_YET', message: `The script cannot do this yet: ${what}.` }))
}
