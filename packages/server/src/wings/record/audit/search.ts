import { type ActionName, actions } from '../../../catalogue/actions.ts'
import { isIdShape } from '../../../fields.ts'

/** One word of a search. An entry must match all of them. */
export interface SearchWord {
  text: string
  /** The actions whose name or phrase contains the word. */
  actions: ActionName[]
  isId: boolean
}

const names = Object.keys(actions) as ActionName[]

export function searchWords(q: string): SearchWord[] {
  const words = q.split(/\s+/).filter((word) => word !== '')
  return [...new Set(words)].map((text) => {
    const part = text.toLowerCase()
    const isNamed = (name: ActionName) => name.includes(part) || actions[name].phrase.toLowerCase().includes(part)
    return { text, actions: names.filter(isNamed), isId: isIdShape(text) && !/^\d+$/.test(text) }
  })
}
