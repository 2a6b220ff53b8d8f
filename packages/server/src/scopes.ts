/** The vocabulary of scopes, what a role's capabilities give, and which token holds what. Tables; nothing else decides. */
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

/** What an organization's plan may include; an organization that names none has them all. */
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

const membershipScopes: readonly Scope[] = [
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

const capabilityScopes: Record<Capability, readonly Scope[]> = {
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
