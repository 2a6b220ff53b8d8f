import { IconWebhook } from '@tabler/icons-react'
import { server } from '../../../api.ts'
import { wordsOf } from '../../../shell/address.ts'
import { usePlace } from '../../../shell/place.ts'
import { ButtonLink, TextLink } from '../../../ui/links.tsx'
import { nearKeys } from '../../../ui/near-keys.ts'
import { NotFound } from '../../../ui/not-found.tsx'
import { listPath } from './webhook-path.ts'

export function NoWebhook({ wanted }: { wanted: string }) {
  const { project, params } = usePlace()
  const { data } = server.useQuery('get', listPath, {
    params: { path: { projectId: project.id }, query: { limit: 100 } },
  })
  const named = (data?.data ?? []).map(({ id, name }) => ({ key: wordsOf(name), id, name }))
  return (
    <NotFound
      noun="webhook"
      wanted={wanted}
      place={project.name}
      icon={<IconWebhook size={36} />}
      near={nearKeys(wanted, named).map(({ key, id, name }) => ({
        key,
        link: (
          <TextLink
            to="/$org/$project/integrations/webhooks/$webhook"
            params={{ ...params, webhook: id }}
            underline="always"
          >
            {name}
          </TextLink>
        ),
      }))}
      all={
        <ButtonLink to="/$org/$project/integrations/webhooks" params={params} variant="default">
          All webhooks of {project.name}
        </ButtonLink>
      }
    />
  )
}
