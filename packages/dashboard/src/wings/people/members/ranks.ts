/** The name identifies a built-in role: custom roles cannot have it, not even in other capitalization. */
const owner = 'OWNER'
const seeEverything = [owner, 'ADMIN']

/** Why a person with this role cannot change or remove a member with that role; undefined if they can. */
export const refusesHandling = (mine: string | undefined, theirs: string): string | undefined =>
  theirs === owner && mine !== owner ? 'Only owners can change or remove an owner.' : undefined

/** The roles that a person with this role can give. */
export const rolesToGive = <Role extends { name: string }>(roles: readonly Role[], mine: string | undefined): Role[] =>
  roles.filter(({ name }) => name !== owner || mine === owner)

/** Owners and administrators always see every project. */
export const seesAllProjects = (role: string | undefined): boolean => role !== undefined && seeEverything.includes(role)
