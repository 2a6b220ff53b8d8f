interface Call {
  base: string
  /** Keys of the project and the environment. */
  project: string
  environment: string
  organization: number
  body: object
}

/** The call of this page for a shell. A quote in the body ends the quoted text and begins it again. */
export function curlOf({ base, project, environment, organization, body }: Call): string {
  const quoted = JSON.stringify(body).replaceAll("'", `'\\''`)
  return [
    `curl -sS --fail-with-body ${base}/api/v1/projects/${project}/environments/${environment}/evaluate`,
    `  -H "Authorization: Bearer $SVC_TOKEN" -H 'Svc-Org-Id: ${organization}'`,
    `  -H 'Content-Type: application/json'`,
    `  -d '${quoted}'`,
  ].join(' \\\n')
}
