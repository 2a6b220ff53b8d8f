import { useSession } from '../../../shell/session.ts'
import { Person } from '../../../ui/names/person.tsx'
import type { Revision } from './revision-words.ts'

/** Who made a revision. */
export function Author({ of }: { of: Revision['publishedBy'] }) {
  const { user } = useSession()
  if (!of) return <span>Svc</span>
  const type = of.type === 'user' ? 'person' : of.type === 'system' ? 'system' : 'token'
  return <Person name={of.name} type={type} isMe={of.type === 'user' && of.id === user.id} />
}
