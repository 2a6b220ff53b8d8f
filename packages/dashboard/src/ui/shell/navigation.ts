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
  type TablerIcon,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import type { Organization } from '../../features/sessions/session.ts'

export interface NavigationLink {
  to: LinkProps['to'] & string
  label: string
  Icon: TablerIcon
  /** Not for everybody: left out where the page could show nothing. */
  isFor?: (organization: Organization) => boolean
}

interface NavigationGroup {
  title: string
  links: NavigationLink[]
}

/** What the shell leads to. A page that is not listed is reached from another one. */
export const navigation: NavigationGroup[] = [
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

/** Pages of the service that are none of the dashboard's. */
export const references = [
  { href: '/docs', label: 'Guides', Icon: IconBook },
  { href: '/docs/api-reference', label: 'API reference', Icon: IconApi },
]
