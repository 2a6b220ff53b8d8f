import { Code, Radio, Text, Textarea, TextInput } from '@mantine/core'
import type { Data } from '@svc/client'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, server } from '../../../api.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { useOrgParams } from '../../../shell/place.ts'
import { useOrganization } from '../../../shell/session.ts'
import { SecretDialog } from '../../../ui/dialog/secret-dialog.tsx'
import { Choices } from '../../../ui/form/choices.tsx'
import { ApiForm, required } from '../../../ui/form/form.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { ButtonLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { OnlyAdministrators } from '../../../ui/notice/only-administrators.tsx'
import { refresh } from '../../../versioned.ts'
import { whoMakesTokens } from './administrators.ts'
import type { ExplainedScope } from './explained-scope.ts'
import { type Lifetime, lifetimes } from './lifetimes.ts'
import { isForPipelines, PipelineSnippets, useExampleProject } from './pipeline-snippets.tsx'
import { canInWords, everything } from './scope-levels.ts'
import { ScopePicker } from './scope-picker.tsx'

type Created = Data<'/api/dashboard/service-tokens', 'post'>
type Scope = Created['scopes'][number]

const title = 'Create a service token'

/** Creates a token for a program, with scopes and an expiry, and shows its secret once. */
export function CreateServiceTokenPage() {
  const isAdministrator = useOrganization()?.administrator
  return isAdministrator ? <CreateToken /> : <OnlyAdministrators title={title}>{whoMakesTokens}</OnlyAdministrators>
}

function CreateToken() {
  const navigate = useNavigate()
  const params = useOrgParams()
  const scopes = server.useQuery('get', '/api/dashboard/scopes')
  // Read before the dialog opens, so that the text that a person copies does not change.
  const project = useExampleProject()
  const [created, setCreated] = useState<Created>()
  return (
    <Page title={title} description="For a program that calls the API. You cannot change its scopes later.">
      <Section title="Token">
        <Loaded query={scopes} lines={6}>
          {({ data }) => <CreateForm scopes={data} done={setCreated} />}
        </Loaded>
      </Section>
      {created && (
        <SecretDialog
          title={`${created.name} created`}
          label="Secret"
          secret={created.secret!}
          onClose={() => void navigate({ to: '/$org/settings/tokens', params })}
        >
          <Text size="sm">
            Keep it with the secrets of your program, never in a message, ticket or repository. The program sends it
            with each call, as <Code>Authorization: Bearer …</Code>
          </Text>
          {isForPipelines(created.scopes) && <PipelineSnippets secret={created.secret!} project={project} />}
        </SecretDialog>
      )}
    </Page>
  )
}

function CreateForm({ scopes, done }: { scopes: readonly ExplainedScope[]; done: (created: Created) => void }) {
  const params = useOrgParams()
  const form = useTokenForm(done)
  return (
    <ApiForm
      form={form}
      verb="Create token"
      summary={`${form.values.name.trim() || 'The token'} ${canInWords(form.values.scopes, scopes)}.`}
      actions={
        <ButtonLink to="/$org/settings/tokens" params={params} variant="default">
          Cancel
        </ButtonLink>
      }
    >
      <TextInput
        {...form.field('name')}
        label="Name"
        description="The audit log shows this name."
        autoComplete="off"
        maw={480}
      />
      <Textarea
        {...form.field('description')}
        label="Description"
        description="Optional: where the program runs, and who is responsible."
        rows={2}
        maw={480}
      />
      <Choices
        legend="Expires after"
        name="expiresIn"
        description="The list of service tokens warns you seven days before it expires. Rotating a token does not extend it."
        error={form.error('expiresIn')}
      >
        {lifetimes.map(({ value, label }) => (
          <Radio
            key={value}
            name="expiresIn"
            label={label}
            checked={form.values.expiresIn === value}
            onChange={() => form.set('expiresIn', value)}
          />
        ))}
      </Choices>
      <ScopePicker
        scopes={scopes}
        chosen={form.values.scopes}
        error={form.error('scopes')}
        change={(chosen) => form.set('scopes', chosen)}
      />
      {form.values.scopes.includes(everything) && (
        <Notice tone="warning" title="This token can do everything" says="politely">
          It can change every flag, remove people and add owners. Select only what the program needs if you can.
        </Notice>
      )}
    </ApiForm>
  )
}

function useTokenForm(done: (created: Created) => void) {
  const client = useQueryClient()
  const params = useOrgParams()
  return useNewForm({
    object: `new-service-token:${params.org}`,
    initial: { name: '', description: '', scopes: [] as string[], expiresIn: '90d' as Lifetime },
    rules: {
      name: required('Enter a name.'),
      scopes: (chosen) => (chosen.length === 0 ? 'Select what the token may do.' : undefined),
    },
    send: async ({ description, scopes, ...values }) => {
      const body = { ...values, description: description.trim() || null, scopes: scopes as Scope[] }
      return (await api.POST('/api/dashboard/service-tokens', { body })).data!.data
    },
    done: async (created) => {
      await refresh(client, '/api/dashboard/service-tokens')
      done(created)
    },
  })
}
