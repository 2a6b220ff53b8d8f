/** The people of two organizations: Ada owns both, Grace is a viewer in one. */
export const ada = { email: 'ada@example.com', name: 'Ada Lovelace', password: 'engines weave algebra' }
export const grace = { email: 'grace@example.com', name: 'Grace Hopper', password: 'nanoseconds of wire' }

/** A token for everything in Acme, to prepare tests. */
export const acmeToken = `svc_svc_${'a'.repeat(43)}`

export const twoOrganizations = {
  organizations: [
    {
      name: 'Acme',
      projects: [{ name: 'Web shop' }, { name: 'Warehouse' }],
      members: [
        { ...ada, role: 'OWNER' },
        { ...grace, role: 'VIEWER' },
      ],
      serviceTokens: [{ name: 'Tests', secret: acmeToken, scopes: ['admin:*'] }],
    },
    { name: 'Globex', members: [{ email: ada.email, name: ada.name, role: 'OWNER' }] },
  ],
}
