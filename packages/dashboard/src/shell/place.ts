import type { Data } from '@svc/client'
import { createContext, useContext } from 'react'
import { segmentOf } from './address.ts'
import type { NamedProject } from './all-projects.ts'
import { type Organization, useOrganization } from './session.ts'

export type Environment = Data<'/api/v1/projects/{projectId}/environments', 'get'>[number]

/** Where a page of a project is. */
export interface Place {
  organization: Organization
  project: NamedProject
  /** In the order in which every page lists them. A project has at least one. */
  environments: Environment[]
  /** For links: `<TextLink to="/$org/$project/flags/$flag" params={{ ...params, flag: key }}>`. */
  params: { org: string; project: string }
}

export const PlaceContext = createContext<Place | null>(null)

/** The project of the address, on pages of a project. */
export function usePlace(): Place {
  const place = useContext(PlaceContext)
  if (!place) throw new Error('this page is not a page of a project')
  return place
}

/** For links to pages of the organization: `<TextLink to="/$org/settings/members" params={useOrgParams()}>`. */
export function useOrgParams(): { org: string } {
  const organization = useOrganization()
  return { org: organization ? segmentOf(organization) : '' }
}
