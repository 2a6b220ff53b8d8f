import { Button, Code, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { Section } from '../../../ui/layout/section.tsx'
import { ButtonLink } from '../../../ui/links/links.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { useDone } from '../../../versioned.ts'
import type { IndexedFlag } from '../flags/flag-filter.ts'
import { FlagSwitch } from '../switches/flag-switch.tsx'
import classes from './connect-page.module.css'
import { createExampleFlag, exampleKey } from './example-flag.ts'

/** The flag that the snippets ask for: the example flag, or else the first boolean flag. */
export function useFirstFlag(): IndexedFlag | undefined {
  const { data } = useProjectIndex()
  const flags = data?.flags?.filter(({ type, status }) => type === 'BOOLEAN' && status !== 'ARCHIVED') ?? []
  return flags.find(({ key }) => key === exampleKey) ?? flags[0]
}

interface FirstFlagProps {
  environment: Environment
  flag: IndexedFlag | undefined
}

/** A switch to see the connection work: the program follows it. */
export function FirstFlag({ environment, flag }: FirstFlagProps) {
  const { params } = usePlace()
  const { data } = useProjectIndex()
  const mayInvite = useMay('members:write')
  const state = flag?.states[indexOf(data?.environments, environment)]
  return (
    <Section
      title="3. Switch a flag and watch your program"
      description="A program with a stream sees the change at once, others within 30 seconds."
      actions={
        <>
          {mayInvite && (
            <ButtonLink variant="default" to="/$org/settings/members" params={{ org: params.org }}>
              Invite your team
            </ButtonLink>
          )}
          <ButtonLink variant="default" to="/$org/$project/flags" params={params}>
            Go to flags
          </ButtonLink>
        </>
      }
    >
      {flag ? (
        <div className={classes.flag}>
          <div className={classes.name}>
            <Text fw={600}>{flag.name}</Text>
            <Code>{flag.key}</Code>
          </div>
          <FlagSwitch
            flag={flag}
            environment={environment}
            isRunning={state?.running === true}
            isArchived={false}
            isFirstRun={state?.firstRun === true}
            withWord
            consequence={{
              run: `The rules of this flag serve in ${environment.name}.${state?.firstRun ? ' This publishes its draft there.' : ''}`,
              pause: `Every visitor in ${environment.name} gets the default of this flag.`,
            }}
          />
        </div>
      ) : (
        data && <NoFlag />
      )}
    </Section>
  )
}

const indexOf = (environments: readonly { id: string }[] | null | undefined, { id }: Environment): number =>
  environments?.findIndex((each) => each.id === id) ?? -1

function NoFlag() {
  const { project, environments } = usePlace()
  const mayEdit = useMay('flags:write')
  const done = useDone()
  const create = useMutation({
    mutationFn: () =>
      createExampleFlag(
        project.id,
        environments.map(({ id }) => id),
      ),
    onSuccess: () => done(`${exampleKey} created.`, '/api/v1/projects/{projectId}/index'),
  })
  return (
    <>
      <FailureNotice error={create.error} />
      <div className={classes.flag}>
        <Text size="sm">
          This project has no boolean flag yet. The snippets ask for <Code>{exampleKey}</Code>.
        </Text>
        {mayEdit && (
          <Button loading={create.isPending} onClick={() => create.mutate()}>
            Create the example flag
          </Button>
        )}
      </div>
    </>
  )
}
