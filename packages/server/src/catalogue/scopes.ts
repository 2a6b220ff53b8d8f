/**
 * The scopes, the scopes that each capability gives, and the scopes of each kind of token. No other file decides this.
 */
export const scopes = [
  'org:read',
  'org:write',
  'projects:read',
  'projects:write',
  'experiments:read',
  'experiments:write',
  'flags:read',
  'flags:write',
  'audiences:read',
  'audiences:write',
  'segments:read',
  'segments:write',
  'metrics:read',
  'metrics:write',
  'results:read',
  'members:read',
  'members:write',
  'roles:read',
  'roles:write',
  'webhooks:read',
  'webhooks:write',
  'integrations:read',
  'integrations:write',
  'catalog:read',
  'catalog:write',
  'datasets:read',
  'datasets:write',
  'recommendations:read',
  'recommendations:write',
  'orders:read',
  'audit:read',
  'tokens:read',
  'tokens:write',
  'admin:*',
] as const

export type Scope = (typeof scopes)[number]

/** One sentence for each scope, shown where people choose scopes. */
export const scopeTexts: Record<Scope, string> = {
  'org:read': 'Read the organization: its name and its features.',
  'org:write': 'Change the organization.',
  'projects:read': 'Read projects and their environments, including SDK keys.',
  'projects:write': 'Create and change projects and environments, and publish staged changes.',
  'experiments:read': 'Read experiments.',
  'experiments:write': 'Create, change, launch and stop experiments.',
  'flags:read': 'Read flags, their variations, rules and overrides.',
  'flags:write': 'Create and change flags and their rules, and run and pause them for visitors.',
  'audiences:read': 'Read audiences.',
  'audiences:write': 'Create and change audiences.',
  'segments:read': 'Read segments.',
  'segments:write': 'Create and change segments, and read their members.',
  'metrics:read': 'Read metrics.',
  'metrics:write': 'Create and change metrics.',
  'results:read': 'Read the results of experiments and A/B tests.',
  'members:read': 'Read the members of the organization, with names and e-mail addresses.',
  'members:write': 'Invite and remove people, and change their roles and projects.',
  'roles:read': 'Read the roles and what they allow.',
  'roles:write': 'Create, change and delete custom roles.',
  'webhooks:read': 'Read webhooks, their deliveries and the events.',
  'webhooks:write': 'Create and change webhooks, rotate their signing secrets and send deliveries again.',
  'integrations:read': 'Read integrations.',
  'integrations:write': 'Set up and change integrations.',
  'catalog:read': 'Read the product catalog.',
  'catalog:write': 'Change the product catalog and its feeds.',
  'datasets:read': 'Read datasets.',
  'datasets:write': 'Create datasets and new versions of datasets.',
  'recommendations:read': 'Read recommendations.',
  'recommendations:write': 'Create and change recommendations.',
  'orders:read': 'Read orders.',
  'audit:read': 'Read and export the audit log of the whole organization.',
  'tokens:read': 'Read service tokens.',
  'tokens:write': 'Create, rotate and revoke service tokens.',
  'admin:*': 'All scopes, including those added later. For infrastructure as code.',
}

/** Tokens can have these scopes, but no public route requires them. A test compares them with the routes. */
export const ineffectiveScopes: ReadonlySet<Scope> = new Set([
  'org:write',
  'experiments:read',
  'experiments:write',
  'metrics:read',
  'metrics:write',
  'integrations:read',
  'integrations:write',
  'catalog:read',
  'catalog:write',
  'datasets:read',
  'datasets:write',
  'recommendations:read',
  'recommendations:write',
  'orders:read',
  'tokens:read',
  'tokens:write',
])

export const capabilities = [
  'view_reports',
  'export_data',
  'manage_projects',
  'edit_project_settings',
  'create_experiments',
  'edit_code_variations',
  'manage_integrations',
] as const

export type Capability = (typeof capabilities)[number]

export const capabilityTexts: Record<Capability, string> = {
  view_reports: 'See the results of experiments and A/B tests.',
  export_data: 'Export results, as files or through the API.',
  manage_projects: 'Create projects, and change and publish their environments.',
  edit_project_settings: 'Change the settings of projects and their environments, and publish.',
  create_experiments:
    'Create, change, run and pause experiments, flags and rules, with their audiences, segments and metrics.',
  edit_code_variations: 'Change experiments, including the code of their variations.',
  manage_integrations: 'Set up webhooks, integrations, the catalog, datasets and recommendations.',
}

/** The features that the operator can turn on and off for an organization. A new organization has all of them. */
export const planFeatures = ['integrations_api_export'] as const

export type PlanFeature = (typeof planFeatures)[number]

export const builtInRoles = {
  OWNER: [...capabilities],
  ADMIN: [...capabilities],
  EDITOR: ['view_reports', 'export_data', 'create_experiments', 'edit_code_variations'],
  ANALYST: ['view_reports', 'export_data'],
  VIEWER: [],
} as const satisfies Record<string, readonly Capability[]>

export type BuiltInRole = keyof typeof builtInRoles

/** The scopes of every member, in any role. */
export const membershipScopes: readonly Scope[] = [
  'org:read',
  'projects:read',
  'experiments:read',
  'flags:read',
  'audiences:read',
  'segments:read',
  'metrics:read',
  'members:read',
  'roles:read',
  'webhooks:read',
  'integrations:read',
  'catalog:read',
  'datasets:read',
  'recommendations:read',
  'orders:read',
]

export const capabilityScopes: Record<Capability, readonly Scope[]> = {
  view_reports: ['results:read'],
  export_data: ['results:read'],
  manage_projects: ['projects:write'],
  edit_project_settings: ['projects:write'],
  create_experiments: ['experiments:write', 'flags:write', 'audiences:write', 'segments:write', 'metrics:write'],
  edit_code_variations: ['experiments:write'],
  manage_integrations: [
    'integrations:write',
    'webhooks:write',
    'catalog:write',
    'datasets:write',
    'recommendations:write',
  ],
}

const administratorScopes: readonly Scope[] = ['audit:read', 'members:write', 'roles:write']

/** The scopes of a personal token whose holder has this role: derived anew for each request, never stored. */
export function scopesOfRole(role: { name: string; builtIn: boolean; capabilities: readonly string[] }): Set<Scope> {
  const granted = new Set(membershipScopes)
  for (const capability of role.capabilities)
    for (const scope of capabilityScopes[capability as Capability] ?? []) granted.add(scope)
  if (role.builtIn && (role.name === 'OWNER' || role.name === 'ADMIN'))
    for (const scope of administratorScopes) granted.add(scope)
  return granted
}

export function holdsScope(held: ReadonlySet<Scope>, needed: Scope): boolean {
  return held.has(needed) || held.has('admin:*')
}
