import { scopesOfRole } from '../../../catalogue/scopes.ts'
import type { Membership } from '../../../http/credentials.ts'
import type { StoredMembership } from './queries.ts'

/** What a person can do in an organization, derived from the role for each request. */
export function membershipOf({ organization, role, projects }: StoredMembership): Membership {
  return {
    organization,
    role: role && { id: role.id, name: role.name, builtIn: role.builtIn, capabilities: role.capabilities },
    scopes: role ? scopesOfRole(role) : new Set(),
    projects: projects && new Set(projects),
  }
}
