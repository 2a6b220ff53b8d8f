import { Button, Stack, Text, Textarea } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { CopyButton } from '../../../ui/code/copy-button.tsx'
import type { Form } from '../../../ui/form/form.tsx'
import { MainAction } from '../../../ui/layout/page.tsx'
import { ButtonLink } from '../../../ui/links/links.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { CurlCall } from '../playground/curl-call.tsx'
import classes from './review-page.module.css'
import type { Chosen } from './use-publishing.ts'

interface PublishFormProps {
  environment: Environment
  form: Pick<Form<{ comment: string }>, 'values' | 'field' | 'isPending' | 'failure'>
  chosen: Chosen
  /** Chosen flags that are paused: they can run with the publish. */
  paused: Chosen['flags']
  /** Something was published here just now, so nothing is left to cancel. */
  isPublished: boolean
  /** The list above says why nothing was published. */
  isOvertaken: boolean
  onPublish: (run: Chosen['flags']) => void
}

/** The comment and the buttons. People who cannot publish get a link to send to somebody who can. */
export function PublishForm({
  environment,
  form,
  chosen,
  paused,
  isPublished,
  isOvertaken,
  onPublish,
}: PublishFormProps) {
  const { organization, project } = usePlace()
  const { flags: wanted } = useSearch({ from: '/inside/$org/$project/environments/$environment/publish' })
  const mayPublish = useMay('projects:write')
  const mayEdit = useMay('flags:write')
  const { changes, flagIds } = chosen
  const mayRun = mayEdit && paused.length > 0
  // Where no visitor would notice the publish alone, the other button is what the person came for.
  const isAllPaused = mayRun && paused.length === chosen.flags.length && chosen.experiments.length === 0
  if (!mayPublish)
    return (
      <Stack gap="sm">
        <OnlyFor>You can review changes, but not publish. Owners and admins can publish from this link.</OnlyFor>
        <CopyButton text={location.href} label="Copy link" />
      </Stack>
    )
  return (
    <Stack gap="sm">
      <FailureNotice error={isOvertaken ? undefined : form.failure} title="Not published" />
      <Textarea
        {...form.field('comment')}
        label="Comment"
        description="Shown in the history."
        autosize
        minRows={2}
        maxLength={500}
      />
      <MainAction>
        {changes > 0 && (
          <Button
            className={classes.publish ?? ''}
            variant={isAllPaused ? 'default' : 'filled'}
            loading={form.isPending}
            onClick={() => onPublish([])}
          >
            Publish {counted(changes, 'change')} to {environment.name}
          </Button>
        )}
        {mayRun && (
          <Button
            className={classes.publish ?? ''}
            variant={isAllPaused ? 'filled' : 'default'}
            loading={form.isPending}
            onClick={() => onPublish(paused)}
          >
            Publish and run{paused.length > 1 && ` ${counted(paused.length, 'flag')}`}
          </Button>
        )}
        <BackLink flag={wanted} environment={environment.key}>
          {isPublished ? 'Close' : 'Cancel'}
        </BackLink>
        {changes === 0 && (
          <Text size="sm" c="dimmed">
            Choose a flag to publish it.
          </Text>
        )}
      </MainAction>
      <CurlCall
        summary="Publish with curl"
        label="Publish"
        project={project.key}
        environment={environment.key}
        organization={organization.shortId}
        action="publish"
        body={{ flagIds, comment: form.values.comment.trim() || null }}
      />
    </Stack>
  )
}

interface BackLinkProps {
  flag: string | undefined
  environment: string
  children: string
}

/** Back to the flag that the review was opened for, or to the list. Everything stays staged. */
function BackLink({ flag, environment, children }: BackLinkProps) {
  const { params } = usePlace()
  const isOne = flag !== undefined && !flag.includes(',')
  return isOne ? (
    <ButtonLink
      to="/$org/$project/flags/$flag"
      params={{ ...params, flag }}
      search={{ env: environment }}
      variant="default"
    >
      {children}
    </ButtonLink>
  ) : (
    <ButtonLink to="/$org/$project/flags" params={params} variant="default">
      {children}
    </ButtonLink>
  )
}
