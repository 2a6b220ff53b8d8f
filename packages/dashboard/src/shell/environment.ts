import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Environment, usePlace } from './place.ts'

interface EnvironmentChoice {
  environment: Environment
  environments: Environment[]
  /** Chooses the environment with this key, in the address and for the next page of the project. */
  choose: (key: string) => void
}

/**
 * The environment of the page: `?env=` in the address. Without it, this is the last choice in this project, and it is
 * written into the address, so that a copied link says which environment it is about.
 */
export function useEnvironment(): EnvironmentChoice {
  const { project, environments } = usePlace()
  const { env } = useSearch({ strict: false }) as { env?: string }
  const navigate = useNavigate()
  const named = environments.find(({ key }) => key === env)
  const environment = named ?? lastEnvironment(project.id, environments)!
  const { key, sdkKey, name } = environment

  useEffect(() => {
    remember(project.id, key)
    keepExample({ sdkKey, project: project.name, environment: name })
    if (env !== key) void navigate({ to: '.', search: withEnvironment(key), replace: true })
  }, [project.id, project.name, key, sdkKey, name, env, navigate])

  const choose = (wanted: string) => void navigate({ to: '.', search: withEnvironment(wanted), resetScroll: false })
  return { environment, environments, choose }
}

/** The environment that the person chose last in this project, or its first one. */
export function lastEnvironment<Each extends { key: string }>(
  projectId: string,
  environments: readonly Each[],
): Each | undefined {
  const last = lastChoice(projectId)
  return environments.find(({ key }) => key === last) ?? environments[0]
}

const withEnvironment = (env: string) => (search: object) => ({ ...search, env }) as never

const keyOf = (projectId: string) => `svc.environment.${projectId}`
const lastChoice = (projectId: string) => localStorage.getItem(keyOf(projectId))
const remember = (projectId: string, key: string) => localStorage.setItem(keyOf(projectId), key)

/** For the guides under /docs (packages/docs/browser/own-place.ts), whose examples then carry this key. It is public. */
const keepExample = (example: { sdkKey: string; project: string; environment: string }) =>
  localStorage.setItem('svc.example', JSON.stringify(example))
