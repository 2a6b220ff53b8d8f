import { Text } from '@mantine/core'
import { server } from '../../../api.ts'
import classes from './role-scopes.module.css'

/** Scopes with their explanations. */
export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const { data } = server.useQuery('get', '/api/dashboard/scopes')
  const textOf = (scope: string) => data?.data.find((each) => each.scope === scope)?.text ?? ''
  return (
    <dl className={classes.list}>
      {scopes.map((scope) => (
        <div key={scope} className={classes.row}>
          <dt>
            <code>{scope}</code>
          </dt>
          <dd>
            <Text size="sm" c="dimmed" span>
              {textOf(scope)}
            </Text>
          </dd>
        </div>
      ))}
    </dl>
  )
}
