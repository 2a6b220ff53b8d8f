import type { z } from 'zod'
import type { Membership } from '../../../http/credentials.ts'
import type { StoredSession } from './queries.ts'
import type { standingSchema } from './schema.ts'

export type Standing = z.output<typeof standingSchema>

/** The ways to sign in besides a password. */
export interface Offered {
  setup: boolean
  providers: { id: string; name: string }[]
  mail: boolean
}

export type SeenMembership = Membership & { administrator: boolean }

export function standingOf(
  session: StoredSession | undefined,
  memberships: readonly SeenMembership[],
  offered: Offered,
): Standing {
  if (!session) return { session: null, stage: 'SIGNED_OUT', ...offered }
  if (session.stage === 'SECOND_FACTOR') return { session: null, stage: 'SECOND_FACTOR', ...offered }
  const { id, user, hasPassword, secondFactor, authenticatedAt, expiresAt } = session
  return {
    session: {
      id,
      user: { ...user, hasPassword, secondFactor },
      organizations: memberships.map(({ organization, role, administrator, scopes, projects }) => ({
        ...organization,
        role: role && { id: role.id, name: role.name },
        administrator,
        scopes: [...scopes].sort(),
        projects: projects && [...projects].sort(),
      })),
      authenticatedAt: authenticatedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    },
    stage: 'SIGNED_IN',
    ...offered,
  }
}
