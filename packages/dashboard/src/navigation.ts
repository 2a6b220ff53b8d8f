import {
  IconApi,
  IconBook,
  IconBuilding,
  IconDeviceLaptop,
  IconHistory,
  IconKey,
  IconLayoutGrid,
  IconServer,
  IconShieldCheck,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react'
import type { ShellLink } from './shell/shell.tsx'
import type { Organization } from './wings/people/sessions/session.ts'

interface NavigationLink extends ShellLink {
  /** Hides the link from people for whom the page is empty. */
  isFor?: (organization: Organization) => boolean
}

/** The links of the sidebar. Pages that are not listed are reached from other pages. */
const navigation: { title: string; links: NavigationLink[] }[] = [
  { title: 'Work', links: [{ to: '/', label: 'Projects', Icon: IconLayoutGrid }] },
  {
    title: 'Organization',
    links: [
      { to: '/settings/organization', label: 'General', Icon: IconBuilding, isFor: () => true },
      { to: '/settings/members', label: 'Members', Icon: IconUsers, isFor: () => true },
      { to: '/settings/roles', label: 'Roles', Icon: IconShieldCheck, isFor: () => true },
      {
        to: '/settings/tokens',
        label: 'Service tokens',
        Icon: IconServer,
        isFor: ({ administrator }) => administrator,
      },
      {
        to: '/settings/audit',
        label: 'Audit log',
        Icon: IconHistory,
        isFor: ({ scopes }) => scopes.includes('audit:read'),
      },
    ],
  },
  {
    title: 'You',
    links: [
      { to: '/account', label: 'Profile and security', Icon: IconUserCircle },
      { to: '/account/sessions', label: 'Sessions', Icon: IconDeviceLaptop },
      { to: '/account/tokens', label: 'Personal tokens', Icon: IconKey },
    ],
  },
]

/** The groups of links for a member of this organization, or for a person without one. */
export const navigationFor = (organization: Organization | undefined) =>
  navigation
    .map(({ title, links }) => ({
      title,
      links: links.filter(({ isFor }) => !isFor || (organization && isFor(organization))),
    }))
    .filter(({ links }) => links.length > 0)

/** Pages that the service has outside the dashboard. */
export const references = [
  { href: '/docs', label: 'Guides', Icon: IconBook },
  { href: '/docs/api-reference', label: 'API reference', Icon: IconApi },
]
