import {
  IconBuilding,
  IconDeviceLaptop,
  IconKey,
  IconKeyboard,
  IconServer,
  IconShieldCheck,
  IconShieldLock,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { account, organization, root, textIn } from '../../shell/routes.tsx'
import type { NavigationRow, Refreshes } from '../../shell/wing.ts'

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): { returnTo?: string; error?: string } => ({
    ...textIn(search, 'returnTo'),
    ...textIn(search, 'error'),
  }),
  component: lazyRouteComponent(() => import('./sessions/sign-in-page.tsx'), 'SignInPage'),
})

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('./sign-up/sign-up-page.tsx'), 'SignUpPage'),
})

const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyRouteComponent(() => import('./passwords/reset-page.tsx'), 'ResetPage'),
})

const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: '/confirm-email',
  component: lazyRouteComponent(() => import('./accounts/confirm-email-page.tsx'), 'ConfirmEmailPage'),
})

const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyRouteComponent(() => import('./sign-up/join-page.tsx'), 'JoinPage'),
})

const profile = createRoute({
  getParentRoute: () => account,
  path: '/',
  validateSearch: (search): { error?: string } => textIn(search, 'error'),
  // Both pages were one. A provider can still send a person back to the old address.
  beforeLoad: ({ search }) => {
    if (search.error !== undefined) throw redirect({ to: '/account/security', search })
  },
  component: lazyRouteComponent(() => import('./accounts/profile-page.tsx'), 'ProfilePage'),
})

const security = createRoute({
  getParentRoute: () => account,
  path: 'security',
  validateSearch: (search): { error?: string } => textIn(search, 'error'),
  component: lazyRouteComponent(() => import('./accounts/security-page.tsx'), 'SecurityPage'),
})

const sessions = createRoute({
  getParentRoute: () => account,
  path: 'sessions',
  component: lazyRouteComponent(() => import('./sessions/sessions-page.tsx'), 'SessionsPage'),
})

const personalTokens = createRoute({
  getParentRoute: () => account,
  path: 'tokens',
  component: lazyRouteComponent(() => import('./tokens/personal-tokens-page.tsx'), 'PersonalTokensPage'),
})

const appearance = createRoute({
  getParentRoute: () => account,
  path: 'appearance',
  component: lazyRouteComponent(() => import('./appearance/appearance-page.tsx'), 'AppearancePage'),
})

const general = createRoute({
  getParentRoute: () => organization,
  path: 'settings/general',
  component: lazyRouteComponent(() => import('./organizations/organization-page.tsx'), 'OrganizationPage'),
})

const members = createRoute({
  getParentRoute: () => organization,
  path: 'settings/members',
  validateSearch: (search): { member?: string; panel?: string } => ({
    ...textIn(search, 'member'),
    ...textIn(search, 'panel'),
  }),
  component: lazyRouteComponent(() => import('./members/members-page.tsx'), 'MembersPage'),
})

const roles = createRoute({
  getParentRoute: () => organization,
  path: 'settings/roles',
  component: lazyRouteComponent(() => import('./roles/roles-page.tsx'), 'RolesPage'),
})

const serviceTokens = createRoute({
  getParentRoute: () => organization,
  path: 'settings/tokens',
  component: lazyRouteComponent(() => import('./tokens/service-tokens-page.tsx'), 'ServiceTokensPage'),
})

const createServiceToken = createRoute({
  getParentRoute: () => organization,
  path: 'settings/tokens/new',
  component: lazyRouteComponent(() => import('./tokens/create-service-token-page.tsx'), 'CreateServiceTokenPage'),
})

export const routes = {
  outside: [signIn, signUp, reset, confirmEmail, join],
  account: [profile, security, sessions, personalTokens, appearance],
  organization: [general, members, roles, serviceTokens, createServiceToken],
}

export const navigation: NavigationRow[] = [
  { level: 'organization', slot: 'members', label: 'Members', to: '/$org/settings/members', Icon: IconUsers },
  { level: 'organization', slot: 'roles', label: 'Roles', to: '/$org/settings/roles', Icon: IconShieldCheck },
  {
    level: 'organization',
    slot: 'tokens',
    label: 'Service tokens',
    to: '/$org/settings/tokens',
    Icon: IconServer,
    isFor: ({ administrator }) => administrator,
  },
  { level: 'organization', slot: 'settings', label: 'Settings', to: '/$org/settings/general', Icon: IconBuilding },
  { level: 'account', slot: 'profile', label: 'Profile', to: '/account', Icon: IconUserCircle },
  { level: 'account', slot: 'security', label: 'Security', to: '/account/security', Icon: IconShieldLock },
  { level: 'account', slot: 'sessions', label: 'Sessions', to: '/account/sessions', Icon: IconDeviceLaptop },
  { level: 'account', slot: 'tokens', label: 'Personal tokens', to: '/account/tokens', Icon: IconKey },
  {
    level: 'account',
    slot: 'appearance',
    label: 'Appearance and keyboard',
    to: '/account/appearance',
    Icon: IconKeyboard,
  },
]

/** Who is signed in, with organizations, roles and scopes. */
const session = '/api/dashboard/session'

export const refreshes: Refreshes = {
  organization: [session],
  member: ['/api/v1/members', session],
  invitation: ['/api/v1/members/invitations'],
  role: ['/api/v1/roles', session],
  user: ['/api/v1/members', '/api/dashboard/me/identities', session],
  session: ['/api/dashboard/sessions'],
  service_token: ['/api/dashboard/service-tokens'],
  personal_token: ['/api/dashboard/personal-tokens'],
}
