/** What a role of the API says about its rights. */
export interface Rights {
  name: string
  builtIn: boolean
  capabilities: readonly string[]
  scopes: readonly string[]
}

export interface RightsRow {
  key: string
  /** What a person with it can do, in words. */
  text: string
  isIn: (role: Rights) => boolean
}

/** Who has it publishes: it is the scope of the call. */
const publishingScope = 'projects:write'
/** Only owners and administrators have this scope. */
const administratorScope = 'audit:read'

/** The rows of the table of roles: what every member can do, the capabilities, and what comes with no capability. */
export const rightsRows = (capabilities: readonly { capability: string; text: string }[]): RightsRow[] => [
  { key: 'member', text: 'See projects, flags, experiments, audiences, metrics and history.', isIn: () => true },
  {
    key: 'publish',
    text: 'Publish changes of flags and rules to visitors.',
    isIn: ({ scopes }) => scopes.includes(publishingScope),
  },
  ...capabilities.map(({ capability, text }) => ({
    key: capability,
    text,
    isIn: (role: Rights) => role.capabilities.includes(capability),
  })),
  {
    key: 'administrator',
    text: 'Manage members, roles, service tokens and the organization, and read the audit log.',
    isIn: ({ scopes }) => scopes.includes(administratorScope),
  },
  {
    key: 'owner',
    text: 'Add, change and remove owners.',
    isIn: ({ name, builtIn }) => builtIn && name === 'OWNER',
  },
]
