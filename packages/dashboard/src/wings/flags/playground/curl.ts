export interface Call {
  base: string
  /** Keys of the project and the environment. */
  project: string
  environment: string
  organization: number
  /** What is called, below the environment. */
  action: 'evaluate' | 'publish'
  body: object
}

/** The call of a page for a shell. A quote in the body ends the quoted text and begins it again. */
export function curlOf({ base, project, environment, organization, action, body }: Call): string {
  const quoted = JSON.stringify(body).replaceAll("'", `'\\''`)
  return [
    `curl -sS --fail-with-body ${base}/api/v1/projects/${project}/environments/${environment}/${action}`,
    `  -H "Authorization: Bearer $SVC_TOKEN" -H 'Svc-Org-Id: ${organization}'`,
    `  -H 'Content-Type: application/json'`,
    `  -d '${quoted}'`,
  ].join(' \\\n')
}
