import type { Data } from '@svc/client'
import { api } from '../../../api.ts'
import { type Versioned, versioned } from '../../../versioned.ts'

export const modelsPath = '/api/v1/projects/{projectId}/recommendations/models'
export const modelPath = `${modelsPath}/{modelId}` as const
export const runsPath = `${modelPath}/runs` as const

export type Model = Data<typeof modelPath, 'get'>
export type ModelRun = Data<typeof runsPath, 'get'>[number]

/** `modelId` is an id or a key. */
export const readModel = async (projectId: string, modelId: string, signal?: AbortSignal): Promise<Versioned<Model>> =>
  versioned(await api.GET(modelPath, { params: { path: { projectId, modelId } }, ...(signal && { signal }) }))
