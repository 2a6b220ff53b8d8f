import { type Refusal, refuse } from '../../../../catalogue/refusals.ts'

export const builtInEnvironments = [
  { name: 'Production', key: 'production', color: '#2F9E44', protected: true },
  { name: 'Development', key: 'development', color: '#1971C2', protected: false },
] as const

export const maxEnvironmentsPerProject = 20
const minEnvironmentsPerProject = 2

const palette = ['#E8590C', '#9C36B5', '#0C8599', '#E03131', '#6741D9', '#F08C00', '#495057', '#C2255C']

export const colorFor = (position: number): string => palette[position % palette.length]!

/** The order after one environment has moved. A position beyond the end is the last one. */
export const moved = (envIds: readonly string[], envId: string, position: number): string[] =>
  envIds.filter((id) => id !== envId).toSpliced(position, 0, envId)

export function refusesDeletion(environment: { builtIn: boolean; name: string }, count: number): Refusal | undefined {
  if (environment.builtIn)
    return refuse('invalid_state', `${environment.name} is built in and cannot be deleted.`, { current: 'BUILT_IN' })
  if (count <= minEnvironmentsPerProject)
    return refuse('invalid_state', `At least ${minEnvironmentsPerProject} environments must remain.`, {
      current: count,
    })
  return undefined
}
