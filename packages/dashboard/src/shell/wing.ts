import type { nouns } from '@svc/client'
import type { TablerIcon } from '@tabler/icons-react'
import type { AnyRoute, LinkProps } from '@tanstack/react-router'
import { createContext, useContext } from 'react'
import type { NamedProject } from './all-projects.ts'
import type { PagedNoun } from './noun-pages.ts'
import type { Organization } from './session.ts'

/** What the door of a wing (`wings/<wing>/index.tsx`) hands over. Pages are lazy, so a door stays small. */
export interface Wing {
  /** By the place they belong to: without sign-in, of the person, of an organization, of a project. */
  routes: { outside?: AnyRoute[]; account?: AnyRoute[]; organization?: AnyRoute[]; project?: AnyRoute[] }
  /** Rows of the sidebar and of the menu of the person. */
  navigation: NavigationRow[]
  /** Loads what the palette offers for the best match. */
  actions?: () => Promise<{ actions: ThingAction[] }>
  /**
   * The kind of a live message, and the paths of the calls to read again: `{ flag: ['/api/v1/projects/…'] }`. The list of a
   * noun of a project, one of them, and the index are read again for every noun.
   */
  refreshes: Refreshes
}

/** Something of a project that the palette can find. */
export interface Thing {
  kind: PagedNoun
  name: string
  /** Flags, metrics and environments have a key in their address. */
  key?: string
  /** Environments have one. */
  sdkKey?: string
  /** The state of a flag in the environment that the person has chosen last. */
  place?: FlagPlace | undefined
}

interface FlagPlace {
  environment: { key: string; name: string }
  isRunning: boolean
  isArchived: boolean
  unpublished: number
}

/** Opens a page of the project, with these parameters and this query string. */
export type OpenPage = (to: string, params: object, search: object) => void

/** An action that changes what visitors get must open its usual confirmation. */
export interface ThingAction {
  of: Thing['kind']
  /** Who can do it. Default: everyone. */
  scope?: string
  /** When it is offered. Default: always. */
  isFor?: (thing: Thing) => boolean
  /** `may` says whether the person has a scope. Without it, the action can be a smaller one. */
  label: (thing: Thing, may: (scope: string) => boolean) => string
  act: (thing: Thing, open: OpenPage) => unknown
}

export type Refreshes = { [Noun in keyof typeof nouns]?: string[] }

/** The sidebar shows one level: that of a project, of the organization, or of the person. */
export type Level = keyof typeof slots

export type NavigationRow = {
  [Of in Level]: {
    level: Of
    /** Its place in the sidebar. */
    slot: SlotOf<Of>
    label: string
    to: LinkProps['to'] & string
    Icon: TablerIcon
    /** Hides the row from people, or in projects, for whom the page is empty. The project is that of the address. */
    isFor?: (organization: Organization, project: NamedProject | undefined) => boolean
  }
}[Level]

type SlotOf<Of extends Level> = KeyOf<(typeof slots)[Of][number]>
type KeyOf<Group> = Group extends unknown ? keyof Group & string : never

/** Every row that there can be, in order and in groups, with the letter that opens it after `G`. */
export const slots = {
  project: [
    { flags: 'f', experiments: 'e', audiences: 'a', segments: '', metrics: 'm' },
    { environments: 'n', tag: 'w', history: 'h', playground: 'p' },
    { integrations: 'i', destinations: 'd', commerce: 'c' },
    { settings: 's' },
  ],
  organization: [{ projects: 'p', members: 'm', roles: 'r', tokens: 't', audit: 'a' }, { settings: 's' }],
  account: [{ profile: 'f', security: 'y', sessions: 'o', tokens: 't', notifications: 'n', appearance: 'k' }],
} as const

/** Rows that are shown under the row before them. */
export const isSubordinate = ({ slot }: NavigationRow): boolean => slot === 'segments'

interface Doors extends Pick<Wing, 'navigation' | 'refreshes'> {
  actions: NonNullable<Wing['actions']>[]
}

export const DoorsContext = createContext<Doors | null>(null)

/** What all wings hand over together. */
export function useDoors() {
  const doors = useContext(DoorsContext)
  if (!doors) throw new Error('the doors of the wings are missing')
  return doors
}
