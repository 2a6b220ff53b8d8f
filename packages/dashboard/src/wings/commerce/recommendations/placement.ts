import type { Data } from '@svc/client'
import { api } from '../../../api.ts'
import { type Versioned, versioned } from '../../../versioned.ts'

export const placementsPath = '/api/v1/projects/{projectId}/recommendations/placements'
export const placementPath = `${placementsPath}/{placementId}` as const

export type Placement = Data<typeof placementPath, 'get'>
export type Variant = Placement['variants'][string]

/** `placementId` is an id or a key. */
export const readPlacement = async (
  projectId: string,
  placementId: string,
  signal?: AbortSignal,
): Promise<Versioned<Placement>> =>
  versioned(await api.GET(placementPath, { params: { path: { projectId, placementId } }, ...(signal && { signal }) }))
