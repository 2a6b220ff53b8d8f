import { Anchor, Code, Text } from '@mantine/core'
import { server } from '../../../api.ts'
import { CodeSnippet } from '../../../ui/code/code-snippet.tsx'

/** What the command below reads. */
const needed = ['projects:read', 'flags:read']

/** Whether a token has the scopes of a job that checks or releases flags. */
export const isForPipelines = (scopes: readonly string[]): boolean => needed.every((scope) => scopes.includes(scope))

/** The key of a project for an example: the newest that has flags. */
export function useExampleProject(): string {
  // With the limit of the list of projects, it would read what that keeps, page by page.
  const { data } = server.useQuery('get', '/api/v1/projects', { params: { query: { limit: 25 } } })
  return data?.data.find(({ type }) => type !== 'WEB')?.key ?? 'web-shop'
}

/** What a job of a pipeline needs for the command line: its settings with the secret, and a command that works. */
export function PipelineSnippets({ secret, project }: { secret: string; project: string }) {
  return (
    <>
      <Text size="sm">
        In a pipeline, the command line reads these variables. Change <Code>SVC_PROJECT</Code> if the job is about
        another project.
      </Text>
      <CodeSnippet
        label="Variables"
        snippets={[
          {
            language: 'Variables',
            code: [
              `export SVC_URL=${location.origin}`,
              `export SVC_PROJECT=${project}`,
              `export SVC_TOKEN=${secret}`,
            ].join('\n'),
          },
        ]}
      />
      <CodeSnippet
        label="Command"
        snippets={[
          {
            language: 'Command',
            about: 'Fails if your code names a flag that does not exist or is archived.',
            code: ['npm install --global "$SVC_URL/packages/svc-cli.tgz"', 'svc references . --check'].join('\n'),
          },
        ]}
      />
      <Text size="sm">
        More in the{' '}
        <Anchor href="/docs/ci" inherit underline="always">
          guide to flags in a pipeline
        </Anchor>
        .
      </Text>
    </>
  )
}
