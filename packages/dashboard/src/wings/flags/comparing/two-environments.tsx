import { Button, NativeSelect } from '@mantine/core'
import { IconColumns2 } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useEnvironment } from '../../../shell/environment.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { ButtonLink } from '../../../ui/links/links.tsx'
import { type CompareSearch, otherOf } from './compare-search.ts'
import classes from './comparing.module.css'
import { keepOther, keptOther } from './kept-pair.ts'

/**
 * The two environments of the address, or the last ones that were compared; the second is written into the address, so
 * that a copied link names both.
 */
export function useTwoEnvironments() {
  const { environment, environments } = useEnvironment()
  const search = useSearch({ strict: false }) as CompareSearch
  const navigate = useNavigate()
  const { project } = usePlace()
  const other = otherOf(environments, environment.key, search.with ?? keptOther(project.id, environment.key))
  const key = other?.key
  useEffect(() => {
    if (key !== undefined) keepOther(project.id, environment.key, key)
    if (key !== undefined && search.with !== key)
      void navigate({ to: '.', search: ((old: object) => ({ ...old, with: key })) as never, replace: true })
  }, [key, search.with, navigate, project.id, environment.key])
  return { environment, other, environments }
}

/** Shown in a project with one environment. */
export function NothingToCompare() {
  const { params } = usePlace()
  return (
    <EmptyState
      icon={<IconColumns2 size={36} />}
      title="There is nothing to compare with"
      action={
        <ButtonLink to="/$org/$project/environments" params={params} variant="default">
          Go to environments
        </ButtonLink>
      }
    >
      This project has one environment.
    </EmptyState>
  )
}

interface ChoiceProps {
  environment: Environment
  other: Environment
  environments: readonly Environment[]
}

/** Chooses both environments. The same one for both swaps them. */
export function EnvironmentChoice({ environment, other, environments }: ChoiceProps) {
  const navigate = useNavigate()
  const go = (env: string, second: string) =>
    void navigate({ to: '.', search: ((old: object) => ({ ...old, env, with: second })) as never, resetScroll: false })
  const data = environments.map(({ key, name }) => ({ value: key, label: name }))
  return (
    <div className={classes.choice}>
      <NativeSelect
        label="Compare"
        data={data}
        value={environment.key}
        onChange={({ currentTarget: { value } }) => go(value, value === other.key ? environment.key : other.key)}
      />
      <NativeSelect
        label="With"
        data={data}
        value={other.key}
        onChange={({ currentTarget: { value } }) => go(value === environment.key ? other.key : environment.key, value)}
      />
      <Button variant="default" onClick={() => go(other.key, environment.key)}>
        Swap
      </Button>
    </div>
  )
}
