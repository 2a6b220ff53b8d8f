const mostNames = 5
// Visitors who are not known have no key, and looking for other names takes longer than an evaluation.
const mostLooks = 100
const otherNames = [
  'userId',
  'user_id',
  'userID',
  'userid',
  'user',
  'uid',
  'key',
  'id',
  'targeting_key',
  'targetingkey',
]

/** What a context has in place of a targeting key, in a few words. */
export function foundIn(context: unknown): string {
  if (!isObject(context)) return context === undefined ? 'no context' : typeof context
  const names = Object.keys(context)
  return names.length > 0 ? names.slice(0, mostNames).join(', ') : 'an empty context'
}

/**
 * Tells whether a context names its visitor by another word than `targetingKey`: lists of ids never find this visitor,
 * although no rule says so. It looks at the first 100 contexts without the key.
 */
export function misnamedVisitors(): (context: unknown) => boolean {
  let looks = 0
  return (context) => {
    try {
      if (looks >= mostLooks || !isObject(context) || Object.hasOwn(context, 'targetingKey')) return false
      looks++
      return otherNames.some((name) => Object.hasOwn(context, name))
    } catch {
      // A context that cannot be read, which the evaluation tells about if it reads it.
      return false
    }
  }
}

const isObject = (context: unknown): context is object => typeof context === 'object' && context !== null
