import type { ObjectNoun } from './nouns.ts'
import { looksLikeKey, readNames } from './project-names.ts'
import type { Session } from './session.ts'

/** The id of an object that a person names by id, short id, key or name. Only a name needs a look-up. */
export async function idCalled(session: Session, noun: ObjectNoun, called: string): Promise<string> {
  if (looksLikeKey(called)) return called
  return (await readNames(session.connection, session.project)).idOf(noun, called)
}
