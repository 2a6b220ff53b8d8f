import { server } from '../api.ts'
import { useSession } from './session.ts'

/** Who can change the role of a member, by name, and what they are: "admins". */
export interface Administrators {
  people: string[]
  are: string
}

interface Member {
  name: string
  role: { name: string }
  /** ISO 8601, so its order is that of time. */
  lastSeenAt: string | null
}

/** Read when a page says that something is not for this person. */
export function useAdministrators(): Administrators {
  const { user } = useSession()
  const { data } = server.useQuery('get', '/api/v1/members', { params: { query: { limit: 100 } } }, { retry: false })
  return administratorsIn((data?.data ?? []).filter(({ userId }) => userId !== user.id))
}

/** Admins first, because they are asked more often than owners; then those who were here last. */
export function administratorsIn(members: readonly Member[]): Administrators {
  const of = (role: string) =>
    members
      .filter((member) => member.role.name === role)
      .toSorted((one, other) => (other.lastSeenAt ?? '').localeCompare(one.lastSeenAt ?? ''))
      .map(({ name }) => name)
  const [admins, owners] = [of('ADMIN'), of('OWNER')]
  return admins.length > 0 ? { people: admins, are: 'admins' } : { people: owners, are: 'owners' }
}
