// Printed from the OpenAPI document by `npm run documents`. The client defines the errors.

export interface paths {
  '/api/v1/me': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the current credential
     * @description Works without `Svc-Org-Id` even if the holder belongs to several organizations.
     *
     *     Requires any valid credential.
     */
    get: operations['getMe']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/organization': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the organization
     * @description Requires the scope `org:read`.
     */
    get: operations['getOrganization']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/organization': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the organization with its settings
     * @description Requires a person who is signed in to the dashboard.
     */
    get: operations['getOrganizationSettings']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Change the name or the notification settings of the organization
     * @description Requires an owner or administrator who is signed in.
     */
    patch: operations['updateOrganization']
    trace?: never
  }
  '/api/v1/members': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List members
     * @description Sorted by account, newest first.
     *
     *     Requires the scope `members:read`.
     */
    get: operations['listMembers']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/members/{userId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a member
     * @description Requires the scope `members:read`.
     */
    get: operations['getMember']
    put?: never
    post?: never
    /**
     * Remove a member
     * @description The account is kept for other organizations. Its sessions and personal tokens lose access to this organization.
     *
     *     Requires the scope `members:write`.
     */
    delete: operations['removeMember']
    options?: never
    head?: never
    /**
     * Change the role or projects of a member
     * @description The change takes effect with the member’s next request, in all sessions and for all personal tokens. Only owners can add, change or remove owners. Only owners and administrators can add, change or remove administrators. You can only give scopes that you hold. The organization must keep at least one owner.
     *
     *     Requires the scope `members:write`.
     */
    patch: operations['updateMember']
    trace?: never
  }
  '/api/dashboard/organization/leave': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Leave the organization
     * @description Requires a person who is signed in to the dashboard.
     */
    post: operations['leaveOrganization']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/members/{userId}/password-reset-link': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create a password reset link for a member
     * @description Possible only if the service sends no mail, and only for people who belong to no other organization. Only owners can create a link for an owner.
     *
     *     Requires an owner or administrator who is signed in.
     */
    post: operations['createPasswordResetLink']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/members/invitations': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List open invitations
     * @description Newest first, including expired invitations.
     *
     *     Requires the scope `members:read`.
     */
    get: operations['listInvitations']
    put?: never
    /**
     * Invite a person
     * @description The service sends the invitation by mail. Without a mail server, the answer has a link for you to pass on. An earlier invitation for the same address is revoked.
     *
     *     Requires the scope `members:write`.
     */
    post: operations['inviteMember']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/members/invitations/{invitationId}/resend': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Resend an invitation with a new link
     * @description The previous link stops working.
     *
     *     Requires the scope `members:write`.
     */
    post: operations['resendInvitation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/members/invitations/{invitationId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Revoke an invitation
     * @description Requires the scope `members:write`.
     */
    delete: operations['revokeInvitation']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/roles': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List roles
     * @description Built-in roles first, then custom roles by name.
     *
     *     Requires the scope `roles:read`.
     */
    get: operations['listRoles']
    put?: never
    /**
     * Create a role
     * @description A role can only include scopes that you hold.
     *
     *     Requires the scope `roles:write`.
     */
    post: operations['createRole']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/roles/{roleId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a role
     * @description Requires the scope `roles:read`.
     */
    get: operations['getRole']
    put?: never
    post?: never
    /**
     * Delete a role
     * @description A role can be deleted once no member and no open invitation has it.
     *
     *     Requires the scope `roles:write`.
     */
    delete: operations['deleteRole']
    options?: never
    head?: never
    /**
     * Update a role
     * @description The change takes effect with the next request of each member who has the role. Built-in roles cannot be changed.
     *
     *     Requires the scope `roles:write`.
     */
    patch: operations['updateRole']
    trace?: never
  }
  '/api/dashboard/capabilities': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the capabilities that a role can have
     * @description Requires a person who is signed in to the dashboard.
     */
    get: operations['listCapabilities']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/service-tokens': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List service tokens
     * @description Newest first, each followed by its previous secrets. Includes revoked and expired tokens.
     *
     *     Requires an owner or administrator who is signed in.
     */
    get: operations['listServiceTokens']
    put?: never
    /**
     * Create a service token
     * @description Only this answer contains the secret.
     *
     *     Requires an owner or administrator who is signed in.
     */
    post: operations['createServiceToken']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/service-tokens/{tokenId}/rotate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Rotate the secret of a service token
     * @description The token gets a new secret and keeps its id, scopes and expiry. The old secret keeps working for a while. It is listed separately and can be revoked separately.
     *
     *     Requires an owner or administrator who is signed in.
     */
    post: operations['rotateServiceToken']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/service-tokens/{tokenId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Revoke a service token, or one of its secrets
     * @description Takes effect at once and cannot be undone. A previous secret and its token are revoked separately.
     *
     *     Requires an owner or administrator who is signed in.
     */
    delete: operations['revokeServiceToken']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/scopes': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the scopes that a service token can have
     * @description Requires a person who is signed in to the dashboard.
     */
    get: operations['listScopes']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/me': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Change your name
     * @description Requires a person who is signed in to the dashboard.
     */
    patch: operations['updateProfile']
    trace?: never
  }
  '/api/dashboard/me/email': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Request a new e-mail address
     * @description Sends a link to the new address and a notice to the old one. The address changes when the link is used. A new request replaces the previous one. Requires the password or a code of the second factor. An account that has neither must set a password first.
     *
     *     Requires a person who is signed in to the dashboard.
     */
    post: operations['requestEmailChange']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/email/confirm': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Confirm a new e-mail address with a link
     * @description Sessions and tokens stay valid. Unused links to set a new password stop working.
     *
     *     Requires no credential.
     */
    post: operations['confirmEmailChange']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/session': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the current session
     * @description Requires no credential.
     */
    get: operations['getSession']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/sign-in': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sign in with a password
     * @description If the account has a second factor, the stage is `SECOND_FACTOR`, and the session gives no access yet.
     *
     *     Requires no credential.
     */
    post: operations['signIn']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/sign-in/second-factor': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sign in with a second factor
     * @description Requires no credential.
     */
    post: operations['signInWithSecondFactor']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/sign-out': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sign out
     * @description Requires no credential.
     */
    post: operations['signOut']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/sessions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List your sessions
     * @description Requires a person who is signed in to the dashboard.
     */
    get: operations['listSessions']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/sessions/{sessionId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * End one of your sessions
     * @description Requires a person who is signed in to the dashboard.
     */
    delete: operations['endSession']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/sessions/end-others': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * End your other sessions
     * @description Requires a person who is signed in to the dashboard.
     */
    post: operations['endOtherSessions']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/personal-tokens': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List your personal tokens
     * @description Newest first, including revoked and expired tokens.
     *
     *     Requires a person who is signed in to the dashboard.
     */
    get: operations['listPersonalTokens']
    put?: never
    /**
     * Create a personal token
     * @description The token can do whatever your role currently allows. Only this answer contains the secret.
     *
     *     Requires a person who is signed in to the dashboard.
     */
    post: operations['createPersonalToken']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/personal-tokens/{tokenId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Revoke a personal token
     * @description Takes effect at once and cannot be undone.
     *
     *     Requires a person who is signed in to the dashboard.
     */
    delete: operations['revokePersonalToken']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/links/check': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Get the purpose of a single-use link
     * @description The answer is 404 for unknown, used and expired links alike.
     *
     *     Requires no credential.
     */
    post: operations['checkLink']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/sign-up': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create the owner
     * @description Requires the link that the service prints at its first start. Once the organization has an owner, the link no longer works.
     *
     *     Requires no credential.
     */
    post: operations['signUp']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/invitations/accept': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Join an organization
     * @description A new account needs `name` and `password`. If you have an account, sign in first.
     *
     *     Requires no credential.
     */
    post: operations['acceptInvitation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/password-reset': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Request a link to set a new password
     * @description The answer is the same whether the account exists or not.
     *
     *     Requires no credential.
     */
    post: operations['requestPasswordReset']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/password-reset/complete': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Set a new password with a link
     * @description Ends all sessions of the account. Personal tokens keep working, unless `revokeTokens` is true. The person must sign in afterwards.
     *
     *     Requires no credential.
     */
    post: operations['completePasswordReset']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/me/password': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change your password
     * @description Ends your other sessions. Omit `currentPassword` if you sign in through a provider and have no password yet.
     *
     *     Requires a person who is signed in to the dashboard.
     */
    post: operations['changePassword']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/me/second-factor': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create a secret for an authenticator app
     * @description The secret takes effect after a first code confirms it. Until then, each call creates a new secret.
     *
     *     Requires a person who is signed in to the dashboard.
     */
    post: operations['beginSecondFactor']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/me/second-factor/confirm': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Turn on the second factor
     * @description Requires a person who is signed in to the dashboard.
     */
    post: operations['confirmSecondFactor']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/me/second-factor/disable': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Turn off the second factor
     * @description Requires a person who is signed in to the dashboard.
     */
    post: operations['disableSecondFactor']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/me/second-factor/recovery-codes': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create new recovery codes
     * @description Requires a person who is signed in to the dashboard.
     */
    post: operations['renewRecoveryCodes']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/oidc/{providerId}/start': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Start signing in through a provider
     * @description For browsers: redirects to the provider with 303. If you are signed in, the identity is linked to your account. `link` is the secret of an invitation to accept.
     *
     *     Requires no credential.
     */
    get: operations['startOidc']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/oidc/{providerId}/callback': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Finish signing in through a provider
     * @description For browsers: redirects with 303 to the page where the sign-in began, or to `/sign-in?error=…`.
     *
     *     Requires no credential.
     */
    get: operations['finishOidc']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/me/identities': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List your sign-in providers
     * @description Requires a person who is signed in to the dashboard.
     */
    get: operations['listIdentities']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/me/identities/{identityId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Unlink a sign-in provider
     * @description Requires a person who is signed in to the dashboard.
     */
    delete: operations['unlinkIdentity']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/environments/{envId}/propagation': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the propagation of a revision
     * @description Shows which SDK instances serve the revision or a later one, according to their heartbeats, and how long that took.
     *
     *     Requires the scope `projects:read`.
     */
    get: operations['getPropagation']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/environments/{envId}/clients': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List clients
     * @description Lists the SDK instances that sent a heartbeat in the last day, at most 1000. Clients that are behind come first, then silent, unknown and current clients, each group by type, version and id. A client whose state changes between two pages can be missing or occur twice.
     *
     *     Requires the scope `flags:read`.
     */
    get: operations['listClients']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sdk/v1/datafile/{sdkKey}.json': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the data file of an environment
     * @description The data file is what SDKs evaluate. It is served from memory and can be cached. Requires no credential: the SDK key is public.
     */
    get: operations['getDataFile']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/sdk/v1/web/{sdkKey}.js': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the script of web experiments
     * @description The script that a page of a WEB project loads: the engine with the published content of an environment. Requires no credential: the SDK key is public.
     */
    get: operations['getWebScript']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sdk/v1/web/{sdkKey}.json': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the web document of an environment
     * @description What the pages of a WEB project need besides the data file, at the same revision: running and rolled-out experiments, without names, drafts and hosts. For servers and edges. Requires no credential: the SDK key is public.
     */
    get: operations['getWebDocument']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sdk/v1/stream/{sdkKey}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Stream the changes of a data file
     * @description Announces every new revision while the connection is open. Requires no credential: the SDK key is public.
     */
    get: operations['streamDataFileChanges']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List projects
     * @description Requires the scope `projects:read`.
     */
    get: operations['listProjects']
    put?: never
    /**
     * Create a project
     * @description The project starts with its built-in environments Production and Development. A `WEB` project has experiments on web pages and no flags.
     *
     *     Requires the scope `projects:write`.
     */
    post: operations['createProject']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a project
     * @description Requires the scope `projects:read`.
     */
    get: operations['getProject']
    put?: never
    post?: never
    /**
     * Delete a project
     * @description Deletes the project with everything in it. Pause all its flags in every environment first, or its web experiments. The SDK keys and webhooks of the project stop working at once. Its key can be used again.
     *
     *     Requires the scope `projects:write`.
     */
    delete: operations['deleteProject']
    options?: never
    head?: never
    /**
     * Update the name, the key or the sample of visitors
     * @description The key can change until the project has a flag or an experiment.
     *
     *     Requires the scope `projects:write`.
     */
    patch: operations['updateProject']
    trace?: never
  }
  '/api/v1/projects/{projectId}/web-settings': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the web settings of a project
     * @description Only a project of the type WEB has them.
     *
     *     Requires the scope `projects:read`.
     */
    get: operations['getWebSettings']
    /**
     * Replace the web settings of a project
     * @description Acts on all environments at once. A field that is left out takes its default. Removing a host is refused with 409 while a redirect to it is served; `details.missing` names the experiment.
     *
     *     Requires the scope `projects:write`.
     */
    put: operations['setWebSettings']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/environments': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List environments
     * @description In the order of `position`.
     *
     *     Requires the scope `projects:read`.
     */
    get: operations['listEnvironments']
    put?: never
    /**
     * Create an environment
     * @description The environment contains every flag of the project, paused, and has its own SDK key.
     *
     *     Requires the scope `projects:write`.
     */
    post: operations['createEnvironment']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/environments/{envId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get an environment
     * @description Requires the scope `projects:read`.
     */
    get: operations['getEnvironment']
    put?: never
    post?: never
    /**
     * Delete an environment
     * @description Its SDK keys stop working at once. Built-in environments cannot be deleted, and at least two environments must remain.
     *
     *     Requires the scope `projects:write`.
     */
    delete: operations['deleteEnvironment']
    options?: never
    head?: never
    /**
     * Update the name, color, protection, position, or which events need an ingest key
     * @description Requires the scope `projects:write`.
     */
    patch: operations['updateEnvironment']
    trace?: never
  }
  '/api/v1/projects/{projectId}/environments/{envId}/sdk-keys': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the SDK keys of an environment
     * @description Newest first, with their last use and the SDKs that use them. The answer has the ETag of the environment.
     *
     *     Requires the scope `projects:read`.
     */
    get: operations['listSdkKeys']
    put?: never
    /**
     * Create a second SDK key
     * @description Both keys work until you revoke one. An environment can have up to 2. The new key is the `sdkKey` of the environment. `X-Svc-If-Match` takes the ETag of the environment, which the answer has too.
     *
     *     Requires the scope `projects:write`.
     */
    post: operations['createSdkKey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/environments/{envId}/sdk-keys/{sdkKeyId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Revoke an SDK key
     * @description The key becomes unknown at once: requests with it are refused, and its streams end. The address takes the id of the key, or the key. The last key of an environment cannot be revoked: create a second one first. `X-Svc-If-Match` takes the ETag of the environment.
     *
     *     Requires the scope `projects:write`.
     */
    delete: operations['revokeSdkKey']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/environments/{envId}/ingest-keys': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the ingest keys of an environment
     * @description Newest first, with their last use and without the keys themselves. The answer has the ETag of the environment.
     *
     *     Requires the scope `projects:read`.
     */
    get: operations['listIngestKeys']
    put?: never
    /**
     * Create an ingest key
     * @description Servers send events with it; it must never be in a page. Only this answer contains the key. An environment can have up to 2, which both work. Events count without a key until `ingestKeyRequiredFor` of the environment says otherwise. `X-Svc-If-Match` takes the ETag of the environment, which the answer has too.
     *
     *     Requires the scope `projects:write`.
     */
    post: operations['createIngestKey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/environments/{envId}/ingest-keys/{ingestKeyId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Revoke an ingest key
     * @description Batches of events with it are refused with 401 at once. The only key of an environment cannot be revoked while events need one: create a second key first, or set `ingestKeyRequiredFor` to `NONE`. `X-Svc-If-Match` takes the ETag of the environment.
     *
     *     Requires the scope `projects:write`.
     */
    delete: operations['revokeIngestKey']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/index': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the index of a project
     * @description Returns everything that a list or a search box of the project needs, in one call: every flag with its state in each environment, the environments, the audiences, the segments, the metrics, the webhooks, the destinations, the exclusion groups, the holdouts, the experiments, the catalog sources, the datasets, the recommendation models, the placements, and the attributes that rules read. Send the ETag as `If-None-Match` to get 304 while nothing has changed.
     *
     *     Requires any valid credential.
     */
    get: operations['getProjectIndex']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/openfeature/v0/manifest': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the manifest of the only project
     * @description Returns the flags of the project in the form of the OpenFeature command line, for a credential that sees exactly one project. With any other credential, use the address of a project as the prefix: `openfeature pull --provider-url https://flags.example.com/api/v1/projects/shop`.
     *
     *     Requires the scope `flags:read`.
     */
    get: operations['getManifest']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/openfeature/v0/manifest': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the manifest of a project
     * @description Returns the flags of the project in the form of the OpenFeature command line. `openfeature pull` calls it with the address of the project as its `--provider-url`.
     *
     *     Requires the scope `flags:read`.
     */
    get: operations['getProjectManifest']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/environments/{envId}/staged': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the staged changes
     * @description Lists what a publish would make live now, with the author of each change. The ETag changes exactly when the list does; numbers of visitors do not change it. Send it as `X-Svc-If-Match` with a publish to publish only what you have seen.
     *
     *     Requires the scope `flags:read`.
     */
    get: operations['listStagedChanges']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/environments/{envId}/staged/discard': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Discard staged changes of a flag or of a web experiment
     * @description Replaces the drafted values at these paths with the live ones: a new rule is removed, a deleted rule is restored and a moved rule returns to its place. Returns the changes of the flag that are still staged. A change of variations is discarded in all environments, because they share the variations of the flag.
     *
     *     Requires the scope `flags:write`.
     *
     *     For a project of the type WEB, it also requires `experiments:write`.
     */
    post: operations['discardStagedChanges']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/environments/{envId}/revisions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the revisions of the data file
     * @description Lists revisions, newest first, with their author, their reason and the flags that they changed. A publish that does not change the data file has a row too, as a `step` after the revision. With `flagId`, it lists only revisions that changed this flag, and with `by` those of a person or a token.
     *
     *     Requires the scope `projects:read`.
     */
    get: operations['listRevisions']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/environments/{envId}/revisions/{revision}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a revision with what it changed
     * @description Shows what the revision, or the step after it (`41.1`), changed in each flag and audience, as differences from the state before, in the form of the list of staged changes. Switches are the paths `enabled` and `rules.{ruleId}.enabled`.
     *
     *     Requires the scope `flags:read`.
     */
    get: operations['getRevision']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/environments/{envId}/revisions/{revision}/restore': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Stage the state of an earlier revision
     * @description The default variations, overrides and rules of every flag that still exists become drafts; publish them to serve them. Switches do not change. The restored state is the one at the end of the revision; `41.0` and `41.1` name a step of it. With `flagIds`, only these flags are restored, and other drafts stay as they are. `X-Svc-If-Match` takes the ETag of the list of staged changes: the restore is refused if other changes have been staged since.
     *
     *     Requires the scope `flags:write`.
     *
     *     For a project of the type WEB, it also requires `experiments:write`.
     */
    post: operations['restoreRevision']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/environments/{envId}/evaluate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Explain what a visitor gets
     * @description Returns the value of flags for a visitor, and why each rule did or did not match. By default it evaluates what is live now; with `at` or `revision` a past revision, with `draft` what the next publish would serve. It changes nothing and counts no exposure.
     *
     *     Requires the scope `flags:read`.
     */
    post: operations['evaluate']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/audiences/{audienceId}/evaluate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Explain whether a visitor is in an audience
     * @description Evaluates the conditions of the audience, as edited, for a visitor, and names those that fail. It changes nothing.
     *
     *     Requires the scope `audiences:read`.
     */
    post: operations['evaluateAudience']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List flags
     * @description Newest first.
     *
     *     Requires the scope `flags:read`.
     */
    get: operations['listFlags']
    put?: never
    /**
     * Create a flag
     * @description The flag starts as a draft, paused in every environment.
     *
     *     Requires the scope `flags:write`.
     */
    post: operations['createFlag']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a flag
     * @description `flagId` is the id or the short id.
     *
     *     Requires the scope `flags:read`.
     */
    get: operations['getFlag']
    put?: never
    post?: never
    /**
     * Delete a flag
     * @description Only a draft or an archived flag can be deleted.
     *
     *     Requires the scope `flags:write`.
     */
    delete: operations['deleteFlag']
    options?: never
    head?: never
    /**
     * Update the name, description, key, tags, owner, permanent mark or value schema
     * @description The key can change until the flag has been enabled in any environment.
     *
     *     Requires the scope `flags:write`.
     */
    patch: operations['updateFlag']
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/archive': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Archive a flag
     * @description A flag that is running in any environment cannot be archived. Pause it first.
     *
     *     Requires the scope `flags:write`.
     */
    post: operations['archiveFlag']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/unarchive': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Unarchive a flag
     * @description The flag is paused in every environment. Run it again in each environment where you need it.
     *
     *     Requires the scope `flags:write`.
     */
    post: operations['unarchiveFlag']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/variations': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    /**
     * Replace the variations
     * @description Variations are matched by `id`, or else by `key`. Omitted variations are removed. Visitors get the new values after the next publish of each environment.
     *
     *     Requires the scope `flags:write`.
     */
    put: operations['replaceVariations']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/pause': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Pause all rules of a flag in an environment
     * @description The change takes effect before the call returns. If the switch is already in this state, `changed` is false.
     *
     *     Requires the scope `flags:write`.
     */
    post: operations['pauseEnvironmentOfFlag']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules/{ruleId}/pause': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Pause one rule
     * @description Other rules are not affected.
     *
     *     Requires the scope `flags:write`.
     */
    post: operations['pauseRule']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/run': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Run all rules of a flag in an environment
     * @description The change takes effect before the call returns. If the switch is already in this state, `changed` is false.
     *
     *     Requires the scope `flags:write`.
     */
    post: operations['runEnvironmentOfFlag']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules/{ruleId}/run': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Run one rule
     * @description Other rules are not affected.
     *
     *     Requires the scope `flags:write`.
     */
    post: operations['runRule']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a flag in an environment
     * @description Returns its switch and schedule, the draft, the live version, and what the next publish would change.
     *
     *     Requires the scope `flags:read`.
     */
    get: operations['getFlagEnvironment']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Stage the default variation, or run and pause with `enabled`
     * @description Requires the scope `flags:write`.
     */
    patch: operations['updateFlagEnvironment']
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/overrides': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the per-user overrides
     * @description Returns the drafted and the live lists, in the format of the PUT.
     *
     *     Requires the scope `flags:read`.
     */
    get: operations['getOverrides']
    /**
     * Replace the per-user overrides
     * @description Both lists are required. They are staged until the next publish.
     *
     *     Requires the scope `flags:write`.
     */
    put: operations['replaceOverrides']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/schedules': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the schedules of a project
     * @description Lists the open schedules (`PENDING` or `SUSPENDED`) of flags and rules, and the schedules that failed in the last 7 days and were not replaced. Suspended and failed schedules come first, then the others by their time.
     *
     *     Requires the scope `flags:read`.
     */
    get: operations['listSchedules']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/schedule': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the schedule of a flag in an environment
     * @description Returns the open schedule (`PENDING` or `SUSPENDED`), or else the one that ended last, with the ETag of the flag. The response is 404 if there never was one.
     *
     *     Requires the scope `flags:read`.
     */
    get: operations['getEnvironmentSchedule']
    /**
     * Schedule a run or a pause of a flag in an environment
     * @description There is one open schedule at a time. An earlier one is cancelled, even if it is suspended.
     *
     *     Requires the scope `flags:write`.
     */
    put: operations['setEnvironmentSchedule']
    post?: never
    /**
     * Cancel the schedule of a flag in an environment
     * @description Requires the scope `flags:write`.
     */
    delete: operations['cancelEnvironmentSchedule']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules/{ruleId}/schedule': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the schedule of one rule
     * @description Returns the open schedule (`PENDING` or `SUSPENDED`), or else the one that ended last, with the ETag of the flag. The response is 404 if there never was one.
     *
     *     Requires the scope `flags:read`.
     */
    get: operations['getRuleSchedule']
    /**
     * Schedule a run or a pause of one rule
     * @description There is one open schedule at a time. An earlier one is cancelled, even if it is suspended.
     *
     *     Requires the scope `flags:write`.
     */
    put: operations['setRuleSchedule']
    post?: never
    /**
     * Cancel the schedule of one rule
     * @description Requires the scope `flags:write`.
     */
    delete: operations['cancelRuleSchedule']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/draft': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    /**
     * Replace the draft of a flag in an environment
     * @description Replaces the default variation, all rules and, if given, the overrides in one step. The changes are staged until the next publish. The body has the form of the `draft` that `GET` of the flag in the environment returns.
     *
     *     Requires the scope `flags:write`.
     */
    put: operations['replaceDraft']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the rules of a flag in an environment
     * @description Lists the drafted rules in evaluation order.
     *
     *     Requires the scope `flags:read`.
     */
    get: operations['listRules']
    put?: never
    /**
     * Create a rule
     * @description The rule is staged until the next publish. Its switch is on; set `enabled` to false to turn it off.
     *
     *     Requires the scope `flags:write`.
     */
    post: operations['createRule']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules/copy': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Copy all rules from another environment
     * @description The copies are appended and paused.
     *
     *     Requires the scope `flags:write`.
     */
    post: operations['copyRules']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules/reorder': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    /**
     * Reorder the rules
     * @description Send all rule ids in the new evaluation order. The new order is staged until the next publish.
     *
     *     Requires the scope `flags:write`.
     */
    put: operations['reorderRules']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules/{ruleId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a rule
     * @description Requires the scope `flags:read`.
     */
    get: operations['getRule']
    put?: never
    post?: never
    /**
     * Delete a rule
     * @description The deletion is staged: visitors get the rule until the next publish.
     *
     *     Requires the scope `flags:write`.
     */
    delete: operations['deleteRule']
    options?: never
    head?: never
    /**
     * Update a rule
     * @description The change is staged until the next publish. To change the switch, use `run` and `pause`.
     *
     *     Requires the scope `flags:write`.
     */
    patch: operations['updateRule']
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules/{ruleId}/duplicate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Duplicate a rule
     * @description The copy comes after the original and is paused.
     *
     *     Requires the scope `flags:write`.
     */
    post: operations['duplicateRule']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/audiences': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List audiences
     * @description Newest first.
     *
     *     Requires the scope `audiences:read`.
     */
    get: operations['listAudiences']
    put?: never
    /**
     * Create an audience
     * @description Rules refer to an audience by `audienceIds` or by a condition `{ "audience": id }`.
     *
     *     Requires the scope `audiences:write`.
     */
    post: operations['createAudience']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/audiences/{audienceId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get an audience
     * @description Requires the scope `audiences:read`.
     */
    get: operations['getAudience']
    put?: never
    post?: never
    /**
     * Delete an audience
     * @description An audience can be deleted once no drafted or live rule refers to it.
     *
     *     Requires the scope `audiences:write`.
     */
    delete: operations['deleteAudience']
    options?: never
    head?: never
    /**
     * Update an audience
     * @description New conditions go live with the next publish of each environment that uses the audience.
     *
     *     Requires the scope `audiences:write`.
     */
    patch: operations['updateAudience']
    trace?: never
  }
  '/api/v1/projects/{projectId}/segments': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List segments
     * @description Newest first.
     *
     *     Requires the scope `segments:read`.
     */
    get: operations['listSegments']
    put?: never
    /**
     * Create a segment
     * @description The segment is empty at first. Conditions refer to it by `{ "segment": id }`.
     *
     *     Requires the scope `segments:write`.
     */
    post: operations['createSegment']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/segments/{segmentId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a segment
     * @description Returns the number of ids; `…/members` lists the ids.
     *
     *     Requires the scope `segments:read`.
     */
    get: operations['getSegment']
    put?: never
    post?: never
    /**
     * Delete a segment
     * @description A segment can be deleted once no drafted or live rule or audience refers to it.
     *
     *     Requires the scope `segments:write`.
     */
    delete: operations['deleteSegment']
    options?: never
    head?: never
    /**
     * Update the name or description
     * @description Requires the scope `segments:write`.
     */
    patch: operations['updateSegment']
    trace?: never
  }
  '/api/v1/projects/{projectId}/segments/{segmentId}/members': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the members
     * @description Lists the ids in the order of their UTF-8 bytes. Every member of the organization has the read scope.
     *
     *     Requires the scope `segments:write`.
     */
    get: operations['listSegmentMembers']
    /**
     * Replace the members
     * @description Up to 100000 visitor ids. Duplicates are ignored. The change takes effect before the call returns.
     *
     *     Requires the scope `segments:write`.
     */
    put: operations['replaceSegmentMembers']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/segments/{segmentId}/members/export': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Export the members
     * @description A text file with all ids, one in each line, after the heading `id`. An upload reads it again. It is no CSV for spreadsheets, which would change ids such as 007 or +31.
     *
     *     Requires the scope `segments:write`.
     */
    get: operations['exportSegmentMembers']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/segments/{segmentId}/members/add': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Add members
     * @description 1 to 1000 visitor ids. Other members do not change. The change takes effect before the call returns.
     *
     *     Requires the scope `segments:write`.
     */
    post: operations['addSegmentMembers']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/segments/{segmentId}/members/remove': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Remove members
     * @description 1 to 1000 visitor ids. Other members do not change. The change takes effect before the call returns.
     *
     *     Requires the scope `segments:write`.
     */
    post: operations['removeSegmentMembers']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/metrics': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List metrics
     * @description Newest first.
     *
     *     Requires the scope `metrics:read`.
     */
    get: operations['listMetrics']
    put?: never
    /**
     * Create a metric
     * @description A/B tests name a metric by its `key` in their `metrics`.
     *
     *     Requires the scope `metrics:write`.
     */
    post: operations['createMetric']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/metrics/{metricId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a metric
     * @description Requires the scope `metrics:read`.
     */
    get: operations['getMetric']
    put?: never
    post?: never
    /**
     * Delete a metric
     * @description A metric that a rule uses, or that a published revision used, cannot be deleted. Archive it instead.
     *
     *     Requires the scope `metrics:write`.
     */
    delete: operations['deleteMetric']
    options?: never
    head?: never
    /**
     * Update a metric
     * @description While a test that has started uses the metric, or an experiment has ended with it, only `name` and `archived` can change: other changes answer 409 `invalid_state` with `references`. Archive a metric that you no longer need: results keep it, and new rules cannot use it.
     *
     *     Requires the scope `metrics:write`.
     */
    patch: operations['updateMetric']
    trace?: never
  }
  '/api/v1/projects/{projectId}/metrics/{metricId}/envs/{envId}/activity': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * See whether a metric gets events
     * @description The events of the metric that arrived in the environment in each of the last 30 days, and when the last one did. They are counted as they arrive, every few seconds, so a node that is killed can leave out the last ones. Figures of tests are computed from the stored events and not from these.
     *
     *     Requires the scope `results:read`.
     */
    get: operations['getMetricActivity']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/environments/{envId}/attributes': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * See which attributes visitors have
     * @description The attributes of visitors that the environment has seen lately, with frequent values: what forms suggest for conditions. They come from a sample of at most 1,000 visitors of the last 7 days, from exposures and OFREP evaluations. Rare values, e-mail addresses and the values of attributes that have too many are left out.
     *
     *     Requires the scope `flags:read`.
     */
    get: operations['getSeenAttributes']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/audiences/{audienceId}/envs/{envId}/reach': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Estimate how many visitors match an audience
     * @description Evaluates the conditions of the audience, as edited, for a sample of at most 1,000 visitors that the environment has seen in the last 7 days. The sample comes from exposures and OFREP evaluations, so visitors who were never part of an A/B test can be missing.
     *
     *     Requires the scope `audiences:read`.
     */
    get: operations['getAudienceReach']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/exclusion-groups': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List exclusion groups
     * @description Newest first.
     *
     *     Requires the scope `experiments:read`.
     */
    get: operations['listExclusionGroups']
    put?: never
    /**
     * Create an exclusion group
     * @description A visitor is in at most one rule of a group. A/B tests join a group by `exclusionGroupId`, and each gets a slot of the visitors.
     *
     *     Requires the scope `experiments:write`.
     */
    post: operations['createExclusionGroup']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/exclusion-groups/{groupId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get an exclusion group
     * @description Requires the scope `experiments:read`.
     */
    get: operations['getExclusionGroup']
    put?: never
    post?: never
    /**
     * Delete an exclusion group
     * @description A group can be deleted once no drafted or live rule belongs to it.
     *
     *     Requires the scope `experiments:write`.
     */
    delete: operations['deleteExclusionGroup']
    options?: never
    head?: never
    /**
     * Update an exclusion group
     * @description The slot size is fixed while rules have slots: changing it answers 409 `invalid_state` with `references`.
     *
     *     Requires the scope `experiments:write`.
     */
    patch: operations['updateExclusionGroup']
    trace?: never
  }
  '/api/v1/projects/{projectId}/holdouts': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List holdouts
     * @description Newest first.
     *
     *     Requires the scope `experiments:read`.
     */
    get: operations['listHoldouts']
    put?: never
    /**
     * Create a holdout
     * @description A holdout is a share of the visitors that stays out of every A/B test with its `holdoutId`.
     *
     *     Requires the scope `experiments:write`.
     */
    post: operations['createHoldout']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/holdouts/{holdoutId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a holdout
     * @description Requires the scope `experiments:read`.
     */
    get: operations['getHoldout']
    put?: never
    post?: never
    /**
     * Delete a holdout
     * @description A holdout that a rule uses, or that a published revision used, cannot be deleted. Archive it instead.
     *
     *     Requires the scope `experiments:write`.
     */
    delete: operations['deleteHoldout']
    options?: never
    head?: never
    /**
     * Update a holdout
     * @description The share is fixed once a rule has used the holdout: changing it answers 409 `invalid_state` with `references`.
     *
     *     Requires the scope `experiments:write`.
     */
    patch: operations['updateHoldout']
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List experiments
     * @description Newest first.
     *
     *     Requires the scope `experiments:read`.
     */
    get: operations['listExperiments']
    put?: never
    /**
     * Create an experiment
     * @description Creates an A/B rule in the draft of the flag, with its switch off, or adopts the rule in `ruleId`. Nothing reaches visitors until the launch.
     *
     *     Requires the scope `experiments:write`.
     *
     *     For an experiment of the type FEATURE, it also requires `flags:write`.
     */
    post: operations['createExperiment']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get an experiment
     * @description Requires the scope `experiments:read`.
     */
    get: operations['getExperiment']
    put?: never
    post?: never
    /**
     * Delete an experiment
     * @description Only a draft or an archived experiment can be deleted. Its rule is removed from the draft. A rule that was adopted becomes a plain rule again, unless the experiment was completed.
     *
     *     Requires the scope `experiments:write`.
     *
     *     For an experiment of the type FEATURE, it also requires `flags:write`.
     */
    delete: operations['deleteExperiment']
    options?: never
    head?: never
    /**
     * Update an experiment
     * @description After the launch, what is tested is staged until it is published. The name, hypothesis, description, tags and `autoPause` change at once.
     *
     *     Requires the scope `experiments:write`.
     *
     *     For an experiment of the type FEATURE, it also requires `flags:write`.
     */
    patch: operations['updateExperiment']
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/launch': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Launch an experiment
     * @description Publishes the draft of this rule and its allowlist, and serves the rule before the call returns. Other staged changes stay staged. While the flag is paused in the environment, the answer is 409 with `details.missing`.
     *
     *     Requires the scope `experiments:write`.
     *
     *     For an experiment of the type FEATURE, it also requires `flags:write`.
     */
    post: operations['launchExperiment']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/resume': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Resume an experiment
     * @description Every visitor gets the same variation as before the pause.
     *
     *     Requires the scope `experiments:write`.
     *
     *     For an experiment of the type FEATURE, it also requires `flags:write`.
     */
    post: operations['resumeExperiment']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/pause': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Pause an experiment
     * @description Visitors then get what the other rules and the default give them. Scheduled runs are suspended.
     *
     *     Requires the scope `experiments:write`.
     *
     *     For an experiment of the type FEATURE, it also requires `flags:write`.
     */
    post: operations['pauseExperiment']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/complete': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Complete an experiment
     * @description Ends the experiment for good and keeps what ran. To test again, duplicate it.
     *
     *     Requires the scope `experiments:write`.
     *
     *     For an experiment of the type FEATURE, it also requires `flags:write`.
     */
    post: operations['completeExperiment']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/archive': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Archive an experiment
     * @description Archives an experiment that is not running. Its rule stays paused.
     *
     *     Requires the scope `experiments:write`.
     *
     *     For an experiment of the type FEATURE, it also requires `flags:write`.
     */
    post: operations['archiveExperiment']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/unarchive': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Unarchive an experiment
     * @description Restores the status that the experiment had. A web experiment serves a winner that was rolled out again, at once.
     *
     *     Requires the scope `experiments:write`.
     *
     *     For an experiment of the type FEATURE, it also requires `flags:write`.
     */
    post: operations['unarchiveExperiment']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/publish': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Publish the staged changes of an experiment
     * @description Publishes all staged changes of the flag in the environment. If nothing is staged, `changed` is false. To publish only what you have seen, send the ETag of the staged changes of the flag as `X-Svc-If-Match`. The ETag of the experiment works too.
     *
     *     Requires the scope `experiments:write`.
     *
     *     For an experiment of the type FEATURE, it also requires `flags:write`.
     */
    post: operations['publishExperiment']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/duplicate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Duplicate an experiment
     * @description Creates a draft of the same test with a rule of its own, at the end of the rules. Visitors are bucketed again. A completed experiment is duplicated as it ran, any other experiment as drafted. If its exclusion group was deleted, the draft has no group.
     *
     *     Requires the scope `experiments:write`.
     *
     *     For an experiment of the type FEATURE, it also requires `flags:write`.
     */
    post: operations['duplicateExperiment']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/winner': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Declare the winner of an experiment
     * @description Ends the experiment. With `rollOut`, a delivery rule replaces the test, in the draft and live: everyone in the audience gets the winner. A winner can be declared again until it is rolled out or the experiment is archived. If nothing changes, `changed` is false.
     *
     *     Requires the scope `experiments:write`.
     *
     *     For an experiment of the type FEATURE, it also requires `flags:write`.
     */
    post: operations['declareWinner']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/schedule': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the schedule of an experiment
     * @description Returns the open schedule (`PENDING` or `SUSPENDED`), or else the one that ended last, with the ETag of the experiment. The response is 404 if there never was one.
     *
     *     Requires the scope `experiments:read`.
     */
    get: operations['getExperimentSchedule']
    /**
     * Schedule an experiment
     * @description A `RUN` launches a draft and resumes a paused experiment; a `PAUSE` pauses it. A run fails if the flag is paused in the environment at that time. There is one open schedule at a time. An earlier one is cancelled, even if it is suspended.
     *
     *     Requires the scope `experiments:write`.
     *
     *     For an experiment of the type FEATURE, it also requires `flags:write`.
     */
    put: operations['setExperimentSchedule']
    post?: never
    /**
     * Cancel the schedule of an experiment
     * @description Requires the scope `experiments:write`.
     *
     *     For an experiment of the type FEATURE, it also requires `flags:write`.
     */
    delete: operations['cancelExperimentSchedule']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/variations/{variationKey}/hand-off': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get what to build in for a variation
     * @description Returns what makes a variation part of the site: each change as a sentence with before and after, HTML, CSS, code and a checklist. It works in every status: from what ran once the experiment is completed, else from what was published last, and before the launch from the draft. With `format=md`, the answer is a Markdown file.
     *
     *     Requires the scope `experiments:read`.
     */
    get: operations['getHandOff']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/variations/{variationKey}/changes': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get what a variation changes on pages
     * @description Returns the whole set of changes, in order, and the CSS. The ETag is about the version that is asked for.
     *
     *     Requires the scope `experiments:read`.
     */
    get: operations['getVariationChanges']
    /**
     * Replace what a variation changes on pages
     * @description Saves the whole set in the draft, so nothing reaches visitors before a launch or a publish. Every fault is named with its path. With `dryRun`, everything is checked and nothing is saved.
     *
     *     Requires the scope `experiments:write`.
     */
    put: operations['setVariationChanges']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/variations/{variationKey}/code': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the code of a variation
     * @description Requires the scope `experiments:read`.
     */
    get: operations['getVariationCode']
    /**
     * Replace the code of a variation
     * @description Saves the code in the draft. The service reads it and never runs it. People need the capability `edit_code_variations` in their role; for a service token, its scope is enough. With `dryRun`, the code is checked and nothing is saved.
     *
     *     Requires the scope `experiments:write`.
     */
    put: operations['setVariationCode']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/try': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Try a web experiment on an address
     * @description Returns which pages of the experiment an address is, and which variation a visitor gets there and why, as `evaluate` does. By default it tries the draft as if it ran. It changes nothing and counts no exposure.
     *
     *     Requires the scope `experiments:read`.
     */
    post: operations['tryExperiment']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/previews': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List previews of a web experiment
     * @description Newest first, also those that have ended. They go 30 days after they have expired.
     *
     *     Requires the scope `experiments:read`.
     */
    get: operations['listPreviews']
    put?: never
    /**
     * Create a preview of a web experiment
     * @description Returns an address that shows one variation on the real site to whoever has it, and to nobody else. Pages are respected; the audience, the traffic and the schedule are not. Nothing of a preview is counted. An experiment can have 100 open previews.
     *
     *     Requires the scope `experiments:write`.
     */
    post: operations['createPreview']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/previews/{previewId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Revoke a preview
     * @description Tabs that show it show what visitors get from their next page on.
     *
     *     Requires the scope `experiments:write`.
     */
    delete: operations['revokePreview']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/projects/{projectId}/experiments/{experimentId}/editor-sessions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List open sessions of the visual editor
     * @description The 100 newest ones, newest first.
     *
     *     Requires the scope `experiments:read`.
     */
    get: operations['listEditorSessions']
    put?: never
    /**
     * Open the visual editor of an experiment
     * @description Returns an address of the site with a code, which works once and for 60 seconds. Open it in a new tab. The session ends with your session in the dashboard, after 30 minutes without use and after 8 hours at the latest. With an eleventh session, your oldest one ends.
     *
     *     Requires the scope `experiments:write`.
     */
    post: operations['openEditorSession']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/projects/{projectId}/experiments/{experimentId}/editor-sessions/{editorSessionId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * End a session of the visual editor
     * @description Its token stops working at once. Drafts stay. A session that has ended stays as it is.
     *
     *     Requires the scope `experiments:write`.
     */
    delete: operations['closeEditorSession']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/projects/{projectId}/experiments/{experimentId}/editor-sessions/{editorSessionId}/code': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Get a code for the next page
     * @description Only for the editor itself: it leaves the code in its tab, so that it opens on the next page of the site. The code works once and for 60 seconds.
     *
     *     Requires the scope `experiments:write`.
     */
    post: operations['renewEditorCode']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/projects/{projectId}/experiments/{experimentId}/presence': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Say that you edit a web experiment, and hear who else does
     * @description Say it every 20 seconds. Without a word, you are gone after 45 seconds. The answer has the other people; streams of the dashboard get them as `presence`. Nothing is stored.
     *
     *     Requires the scope `experiments:write`.
     */
    post: operations['sayPresence']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/errors': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the errors of the code of an experiment
     * @description Returns what the code of variations has thrown on pages of visitors in the last 30 days. An error counts for a visitor only if the data file gives the visitor this variation, or can have given it: visitors of sticky experiments keep theirs.
     *
     *     Requires the scope `experiments:read`.
     */
    get: operations['listCodeErrors']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/recent-figures': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get recent figures for the size of an experiment
     * @description Returns what tests of the environment measured in the last 14 days: new visitors per day, and the metrics of the experiment. The figures come from a rule of the same flag if there is one, otherwise from the rule with the most visitors. Visitors who still have time to convert count only if there are no others.
     *
     *     Requires the scope `results:read`.
     */
    get: operations['getRecentFigures']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/results': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read an experiment’s results
     * @description Requires the scope `results:read`.
     */
    get: operations['getExperimentResults']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/experiments/{experimentId}/results/refresh': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Compute an experiment’s results now
     * @description Results are computed every hour. This computes them at once and returns them. If that takes more than 10 s, the answer is 202 with the previous results and `refreshing: true`, and the computation continues. One computation runs at a time for a rule: later callers join it. Different rules of a project are computed one after the other: up to 20 wait, and further ones answer 503.
     *
     *     Requires the scope `results:read`.
     */
    post: operations['refreshExperimentResults']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/rules/{ruleId}/results': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read one rule’s results
     * @description Requires the scope `results:read`.
     */
    get: operations['getRuleResults']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/flags/{flagId}/rules/{ruleId}/results/refresh': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Compute one rule’s results now
     * @description Results are computed every hour. This computes them at once and returns them. If that takes more than 10 s, the answer is 202 with the previous results and `refreshing: true`, and the computation continues. One computation runs at a time for a rule: later callers join it. Different rules of a project are computed one after the other: up to 20 wait, and further ones answer 503.
     *
     *     Requires the scope `results:read`.
     */
    post: operations['refreshRuleResults']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/calculators/sample-size': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Calculate how many visitors an A/B test needs
     * @description Returns the visitors per variation, and with `unitsPerDay` how long the test runs. Nothing is changed.
     *
     *     Requires any valid credential.
     */
    post: operations['calculateSampleSize']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/erasures': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Erase visitors
     * @description Deletes the raw events of these visitors in all environments of the project, and gives the visitors random names in everything that was counted, so that results stay the same. The answer is the job that does this; call `getJob` to see when it ends. Visitors who return afterwards count as new visitors, so stop sending their events first.
     *
     *     Requires the scope `admin:*`.
     *
     *     An owner or administrator who is signed in to the dashboard needs no scope.
     */
    post: operations['eraseVisitors']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/orders': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List orders
     * @description Those that were placed last come first.
     *
     *     Requires the scope `orders:read`.
     */
    get: operations['listOrders']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/orders/summary': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Summarize orders by day
     * @description Days are those of UTC, by the time at which orders were placed; 366 at most.
     *
     *     Requires the scope `orders:read`.
     */
    get: operations['summarizeOrders']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/orders/{orderId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get an order
     * @description Requires the scope `orders:read`.
     */
    get: operations['getOrder']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/sdk/v1/web/previews/{ticket}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the module of a preview
     * @description A module that applies a draft to the page that imports it. It sends nothing and counts nobody. Requires no credential besides the ticket in the address.
     */
    get: operations['getPreviewModule']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/catalog': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the catalog
     * @description Its settings, its revision and what it contains. The ETag counts changes of the settings.
     *
     *     Requires the scope `catalog:read`.
     */
    get: operations['getCatalog']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Update the settings of the catalog
     * @description A new reporting currency needs new rates, unless there are none.
     *
     *     Requires the scope `catalog:write`.
     */
    patch: operations['updateCatalog']
    trace?: never
  }
  '/api/v1/projects/{projectId}/catalog/products': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List products
     * @description In the order of the UTF-8 bytes of their ids. Each page shows the newest revision. With `availability` alone, 200,000 items are looked at for a page, so it can have fewer products than `limit`, or none, although others follow.
     *
     *     Requires the scope `catalog:read`.
     */
    get: operations['listProducts']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/catalog/products/{productId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a product with its items
     * @description Shows up to 200 items; `itemCount` is the number of all.
     *
     *     Requires the scope `catalog:read`.
     */
    get: operations['getProduct']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/catalog/categories': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the categories of items
     * @description In the order of their UTF-8 bytes, so each category is followed by those below it.
     *
     *     Requires the scope `catalog:read`.
     */
    get: operations['listCategories']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/catalog/facets': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Count products by brand or category
     * @description The values of `field` among the products that pass the other filters, with how many products have each. The filter of the field itself is left out, so that another value can be chosen. A product counts for a category and for those above it.
     *
     *     Requires the scope `catalog:read`.
     */
    get: operations['getCatalogFacet']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/catalog/revisions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the revisions of the catalog
     * @description Newest first. Revisions are kept for 7 days, and the newest 10 longer.
     *
     *     Requires the scope `catalog:read`.
     */
    get: operations['listCatalogRevisions']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/catalog/revisions/{revision}/restore': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Restore a revision of the catalog
     * @description Makes a new revision with the items of an old one. What supplements say stays as it is. The answer is the job that does this; call `getJob` to see when it ends. The next sync of a source brings the items of its feed again.
     *
     *     Requires the scope `catalog:write`.
     */
    post: operations['restoreCatalogRevision']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/commerce/jobs': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List background jobs
     * @description Newest first. Erasures are shown only to people who can request them.
     *
     *     Requires the scope `catalog:read`.
     */
    get: operations['listJobs']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/commerce/jobs/{jobId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a background job
     * @description Ended jobs are kept for 90 days. Erasures are shown only to people who can request them.
     *
     *     Requires the scope `catalog:read`.
     */
    get: operations['getJob']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/commerce/jobs/{jobId}/errors': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the errors of a job
     * @description In the order in which they were found. Errors are kept for 30 days.
     *
     *     Requires the scope `catalog:read`.
     */
    get: operations['listJobErrors']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/commerce/jobs/{jobId}/cancel': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Cancel a background job
     * @description A waiting job ends at once. A running job ends after its current step: read it until it has ended. What it has done by then is kept, and its `reason` says what that is. A job whose change is already visible ends as `SUCCEEDED`, because it is too late. For a job of a dataset, this also requires `datasets:write`; of a model, `recommendations:write`.
     *
     *     Requires the scope `catalog:write`.
     */
    post: operations['cancelJob']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/commerce/jobs/{jobId}/apply': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Apply a held background job
     * @description For a job that is `HELD`. The answer is a new job, which does the same once more. The counts in `result.guards` of the held job are its limits, so that it does not do more than you have seen. A file that was sent is gone: send it again with `?apply=`. A job is applied once, and only until a newer job of its source has succeeded. Of a dataset, it lets the held version go live. For a job of a dataset, this also requires `datasets:write`; of a model, `recommendations:write`.
     *
     *     Requires the scope `catalog:write`.
     */
    post: operations['applyJob']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/commerce/jobs/{jobId}/retry': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Retry a background job
     * @description For a job that failed or was cancelled. The answer is the new job. A file that was sent is gone, so its job is not retried: send the file again. A job that applies a held one is retried while the held one can still be applied. For a job of a dataset, this also requires `datasets:write`; of a model, `recommendations:write`.
     *
     *     Requires the scope `catalog:write`.
     */
    post: operations['retryJob']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/catalog/sources': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List catalog sources
     * @description Newest first.
     *
     *     Requires the scope `catalog:read`.
     */
    get: operations['listCatalogSources']
    put?: never
    /**
     * Create a catalog source
     * @description A source says where products or orders come from, how the file is read, and when a sync is held. Everything but `name` and `type` has a default.
     *
     *     Requires the scope `catalog:write`.
     */
    post: operations['createCatalogSource']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/catalog/sources/{sourceId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a catalog source
     * @description Requires the scope `catalog:read`.
     */
    get: operations['getCatalogSource']
    put?: never
    post?: never
    /**
     * Delete a catalog source
     * @description Refused while a job of the source is queued or running. With `items=keep`, its items stay in the catalog. Nobody owns them any more: the API can change them, and a source that has them takes them over. With `items=remove`, a job of the kind `catalog_removal` removes those that nobody has taken over by then. The same job always removes what a supplement says.
     *
     *     Requires the scope `catalog:write`.
     */
    delete: operations['deleteCatalogSource']
    options?: never
    head?: never
    /**
     * Update a catalog source
     * @description `mapping`, `guards` and `fields` are replaced as a whole. If the address leads to a different host, send the secret again.
     *
     *     Requires the scope `catalog:write`.
     */
    patch: operations['updateCatalogSource']
    trace?: never
  }
  '/api/v1/projects/{projectId}/catalog/sources/{sourceId}/sync': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sync a catalog source
     * @description Fetches the file at the `url` of the source, and makes its items, or what it says about items, live as one revision of the catalog, or stores its orders. The answer is the job that does this (202); call `getJob` to see when it ends. If the source has a job that is queued or running, the answer is that job (200).
     *
     *     Requires the scope `catalog:write`.
     */
    post: operations['syncCatalogSource']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/datasets': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List datasets
     * @description Newest first.
     *
     *     Requires the scope `datasets:read`.
     */
    get: operations['listDatasets']
    put?: never
    /**
     * Create a dataset
     * @description A dataset is a table that models of recommendations learn from, with immutable versions, one of them active. `createDatasetVersion` derives the first one; a `schedule` derives others.
     *
     *     Requires the scope `datasets:write`.
     */
    post: operations['createDataset']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/datasets/{datasetId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a dataset
     * @description Requires the scope `datasets:read`.
     */
    get: operations['getDataset']
    put?: never
    post?: never
    /**
     * Delete a dataset
     * @description Refused while models learn from it, and while a job of it is queued or running.
     *
     *     Requires the scope `datasets:write`.
     */
    delete: operations['deleteDataset']
    options?: never
    head?: never
    /**
     * Update a dataset
     * @description `derivation` and `guards` are replaced as a whole. They count from the next version on.
     *
     *     Requires the scope `datasets:write`.
     */
    patch: operations['updateDataset']
    trace?: never
  }
  '/api/v1/projects/{projectId}/datasets/{datasetId}/versions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the versions of a dataset
     * @description Newest first. The last 5 are kept, those of the last day, and the active one.
     *
     *     Requires the scope `datasets:read`.
     */
    get: operations['listDatasetVersions']
    put?: never
    /**
     * Create a version of a dataset
     * @description Of INTERACTIONS, without a body: reads the events of its window. Of NEIGHBOURS, the body is the file: CSV with the columns `productId`, `relatedId` and `score`, or JSON lines with these fields. The version goes live unless a guard stops it. The answer is the job that does this (202); call `getJob` to see when it ends. If a dataset of INTERACTIONS has a job that is queued or running, the answer is that job (200); a file is refused meanwhile.
     *
     *     Requires the scope `datasets:write`.
     */
    post: operations['createDatasetVersion']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/datasets/{datasetId}/versions/{versionId}/sample': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the first rows of a version
     * @description Up to 100 rows.
     *
     *     Requires the scope `datasets:read`.
     */
    get: operations['getDatasetSample']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/datasets/{datasetId}/versions/{versionId}/activate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Activate a version of a dataset
     * @description Goes back or forward to a version, also to one that is held. Models read it at their next run.
     *
     *     Requires the scope `datasets:write`.
     */
    post: operations['activateDatasetVersion']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/datasets/{datasetId}/rollback': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Activate the version that was active before
     * @description Requires the scope `datasets:write`.
     */
    post: operations['rollBackDataset']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/recommendations/models': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List recommendation models
     * @description Newest first.
     *
     *     Requires the scope `recommendations:read`.
     */
    get: operations['listRecommendationModels']
    put?: never
    /**
     * Create a recommendation model
     * @description A model answers one strategy of placements. It serves from its first run that goes live; without a `schedule`, `startRecommendationRun` starts it.
     *
     *     Requires the scope `recommendations:write`.
     */
    post: operations['createRecommendationModel']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/recommendations/models/{modelId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a recommendation model
     * @description Requires the scope `recommendations:read`.
     */
    get: operations['getRecommendationModel']
    put?: never
    post?: never
    /**
     * Delete a recommendation model
     * @description Refused while a run of it is queued or running. Placements that use its strategy answer without it.
     *
     *     Requires the scope `recommendations:write`.
     */
    delete: operations['deleteRecommendationModel']
    options?: never
    head?: never
    /**
     * Update a recommendation model
     * @description `settings` are replaced as a whole. They count from the next run on.
     *
     *     Requires the scope `recommendations:write`.
     */
    patch: operations['updateRecommendationModel']
    trace?: never
  }
  '/api/v1/projects/{projectId}/recommendations/models/{modelId}/runs': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the runs of a model
     * @description Newest first. The last 5 runs are kept, those of the last day, and the one that serves. `metrics` is null for a run that has nothing to be measured on.
     *
     *     Requires the scope `recommendations:read`.
     */
    get: operations['listRecommendationRuns']
    put?: never
    /**
     * Start a run of a model
     * @description Builds the model anew and lets it serve, unless it is clearly worse than the one that serves. The answer is the job that does this (202); call `getJob` to see when it ends. If the model has a job that is queued or running, the answer is that job (200).
     *
     *     Requires the scope `recommendations:write`.
     */
    post: operations['startRecommendationRun']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/recommendations/models/{modelId}/runs/{runId}/activate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Let a run of a model serve
     * @description Goes back or forward to a run that has succeeded, at once and on every node.
     *
     *     Requires the scope `recommendations:write`.
     */
    post: operations['activateRecommendationRun']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/recommendations/placements': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List recommendation placements
     * @description Newest first.
     *
     *     Requires the scope `recommendations:read`.
     */
    get: operations['listPlacements']
    put?: never
    /**
     * Create a placement
     * @description A placement is a place in your shop that shows recommendations. Each variant says how the list is made; only `name` and `variants` are required. A strategy that no model has yet gets one.
     *
     *     Requires the scope `recommendations:write`.
     */
    post: operations['createPlacement']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/recommendations/placements/{placementId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a placement
     * @description Requires the scope `recommendations:read`.
     */
    get: operations['getPlacement']
    put?: never
    post?: never
    /**
     * Delete a placement
     * @description Requires the scope `recommendations:write`.
     */
    delete: operations['deletePlacement']
    options?: never
    head?: never
    /**
     * Update a placement
     * @description `variants` are replaced as a whole.
     *
     *     Requires the scope `recommendations:write`.
     */
    patch: operations['updatePlacement']
    trace?: never
  }
  '/api/v1/projects/{projectId}/recommendations/placements/{placementId}/preview': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Preview a placement
     * @description Answers what a page would get, and every candidate with the reason why it is not in the list. The body is that of a page, without `sdkKey`; with `history`, what is known of `unit` is that of Production.
     *
     *     Requires the scope `recommendations:read`.
     */
    post: operations['previewPlacement']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/recommendations/placements/{placementId}/measure': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Measure a placement
     * @description Makes the STRING flag `recommend-<key>` and an experiment between its variations `default` and `none`, with the metrics that are missing, and launches it. The primary metric is `revenue_per_visitor`; `margin_per_visitor` guards it if 95 % of the orders of the last 30 days have a margin. The placement then shows what it brings in `measurement`.
     *
     *     Requires the scope `recommendations:write`.
     *
     *     For every placement, it also requires `experiments:write` and `flags:write`.
     */
    post: operations['measurePlacement']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/webhooks': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List webhooks
     * @description Newest first.
     *
     *     Requires the scope `webhooks:read`.
     */
    get: operations['listWebhooks']
    put?: never
    /**
     * Create a webhook
     * @description The response contains the signing secret. It is not shown again.
     *
     *     Requires the scope `webhooks:write`.
     */
    post: operations['createWebhook']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/webhooks/{webhookId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a webhook
     * @description Requires the scope `webhooks:read`.
     */
    get: operations['getWebhook']
    put?: never
    post?: never
    /**
     * Delete a webhook
     * @description Also deletes its delivery history.
     *
     *     Requires the scope `webhooks:write`.
     */
    delete: operations['deleteWebhook']
    options?: never
    head?: never
    /**
     * Update a webhook
     * @description `events` replaces the whole list. Enabling clears the reason and the count of failures.
     *
     *     Requires the scope `webhooks:write`.
     */
    patch: operations['updateWebhook']
    trace?: never
  }
  '/api/v1/projects/{projectId}/webhooks/{webhookId}/secret': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Rotate the signing secret
     * @description New deliveries are signed with the new secret at once. Existing deliveries and their automatic retries are still signed with the old one.
     *
     *     Requires the scope `webhooks:write`.
     */
    post: operations['rotateWebhookSecret']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/webhooks/{webhookId}/test': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a test ping
     * @description The response is 200 even if the endpoint fails. Its `status` says whether the ping arrived.
     *
     *     Requires the scope `webhooks:write`.
     */
    post: operations['testWebhook']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/webhooks/{webhookId}/deliveries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List deliveries
     * @description Lists the deliveries of the last 30 days, newest first.
     *
     *     Requires the scope `webhooks:read`.
     */
    get: operations['listDeliveries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a delivery
     * @description `deliveryId` is the record’s `id`.
     *
     *     Requires the scope `webhooks:read`.
     */
    get: operations['getDelivery']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}/retry': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Retry a failed delivery
     * @description `deliveryId` is the record’s `id`. A new cycle of attempts starts at once.
     *
     *     Requires the scope `webhooks:write`.
     */
    post: operations['retryDelivery']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/replay': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a range of deliveries again
     * @description Sends the failed deliveries of a time range again, or all deliveries with `includeDelivered`. Each keeps its delivery id and gets a new cycle of attempts. Without the scope `results:read`, deliveries with results are omitted.
     *
     *     Requires the scope `webhooks:write`.
     */
    post: operations['replayDeliveries']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/destinations': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List destinations
     * @description Lists chats, mails, tickets, alarms and templates, newest first. Webhooks have routes of their own.
     *
     *     Requires the scope `integrations:read`.
     */
    get: operations['listDestinations']
    put?: never
    /**
     * Create a destination
     * @description Secrets, such as the address of a chat, are encrypted and never returned again.
     *
     *     Requires the scope `integrations:write`.
     */
    post: operations['createDestination']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/destinations/{destinationId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a destination
     * @description Requires the scope `integrations:read`.
     */
    get: operations['getDestination']
    put?: never
    post?: never
    /**
     * Delete a destination
     * @description Also deletes its delivery history. Tickets that it created are kept.
     *
     *     Requires the scope `integrations:write`.
     */
    delete: operations['deleteDestination']
    options?: never
    head?: never
    /**
     * Update a destination
     * @description `config` changes single fields. Omitted secrets do not change; if the address leads to a different host, send them again. Enabling clears the reason and the count of failures.
     *
     *     Requires the scope `integrations:write`.
     */
    patch: operations['updateDestination']
    trace?: never
  }
  '/api/v1/projects/{projectId}/destinations/preview': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Preview a message
     * @description Shows the request that an event would cause, without secrets. Nothing is sent or stored.
     *
     *     Requires the scope `integrations:read`.
     */
    post: operations['previewDestination']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/projects/{projectId}/tickets': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List open tickets about a flag or an experiment
     * @description Lists at most 20 tickets that Svc has not closed, latest first. Svc does not read tickets, so people can have closed them.
     *
     *     Requires the scope `flags:read`.
     */
    get: operations['listOpenTickets']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/destinations/{destinationId}/test': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a test ping
     * @description The response is 200 even if the endpoint fails. Its `status` says whether the ping arrived.
     *
     *     Requires the scope `integrations:write`.
     */
    post: operations['testDestination']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/destinations/{destinationId}/deliveries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List deliveries
     * @description Lists the deliveries of the last 30 days, newest first.
     *
     *     Requires the scope `integrations:read`.
     */
    get: operations['listDestinationDeliveries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/destinations/{destinationId}/deliveries/{recordId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a delivery
     * @description `recordId` is the record’s `id`.
     *
     *     Requires the scope `integrations:read`.
     */
    get: operations['getDestinationDelivery']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/destinations/{destinationId}/deliveries/{recordId}/retry': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Retry a failed delivery
     * @description `recordId` is the record’s `id`. A new cycle of attempts starts at once.
     *
     *     Requires the scope `integrations:write`.
     */
    post: operations['retryDestinationDelivery']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/destinations/{destinationId}/deliveries/replay': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a range of deliveries again
     * @description Sends the failed deliveries of a time range again, or all deliveries with `includeDelivered`. Each keeps its delivery id and gets a new cycle of attempts. Without the scope `results:read`, deliveries with results are omitted.
     *
     *     Requires the scope `integrations:write`.
     */
    post: operations['replayDestinationDeliveries']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/organization/notifications': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the notification settings of the organization
     * @description Returns what filters and delays the events that webhooks and destinations receive.
     *
     *     Requires the scope `integrations:read`.
     */
    get: operations['getNotificationSettings']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/organization/notifications/preview': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Preview a notification filter on past events
     * @description Shows which of the latest events would pass: at most 10000, of all projects. Nothing is changed.
     *
     *     Requires an owner or administrator who is signed in.
     */
    post: operations['previewNotifications']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/me/subscriptions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List your mail notifications
     * @description Returns an item for each project of the organization that you can see. Owners and administrators who chose nothing get safety events.
     *
     *     Requires a person who is signed in to the dashboard.
     */
    get: operations['listMySubscriptions']
    /**
     * Choose your mail notifications
     * @description Your choice is visible only to you. Digests wait for the times of the organization; safety events never wait.
     *
     *     Requires a person who is signed in to the dashboard.
     */
    put: operations['replaceMySubscriptions']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/unsubscribe/{link}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Open the page to unsubscribe from mail
     * @description Changes nothing, because mail programs open links too.
     *
     *     Requires no credential.
     */
    get: operations['openUnsubscribePage']
    put?: never
    /**
     * Unsubscribe from mail with one click
     * @description For mail programs, by [RFC 8058](https://www.rfc-editor.org/rfc/rfc8058). The address is in the header `List-Unsubscribe` of each mail. The body is not read.
     *
     *     Requires no credential.
     */
    post: operations['unsubscribe']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/mailings/{link}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get what an unsubscribe link ends
     * @description Requires no credential.
     */
    get: operations['getMailing']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/mail-addresses/check': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Get what a confirmation link asks
     * @description Requires no credential.
     */
    post: operations['checkMailAddress']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/mail-addresses/confirm': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Agree to mail of an organization
     * @description Requires no credential.
     */
    post: operations['confirmMailAddress']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/events': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Pull events
     * @description Oldest first, beginning after the number `after`. Without `after`, the list begins with the oldest event that is kept. If events after `after` have been deleted, the answer is 410. With `event`, `seq` skips the events of other names. Without the scope `results:read`, the figures of results are omitted.
     *
     *     Requires the scope `webhooks:read`.
     */
    get: operations['listEvents']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/audit': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List audit entries
     * @description Newest first.
     *
     *     Requires the scope `audit:read`.
     */
    get: operations['listAuditEntries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/audit/export': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Export audit entries
     * @description A file with all entries that match the filters, newest first. In CSV, values that a spreadsheet could read as a formula begin with an apostrophe.
     *
     *     Requires the scope `audit:read`.
     */
    get: operations['exportAuditEntries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/names': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Find the names of ids
     * @description Returns the names of up to 100 ids and where they are, in the order of the request. Deleted objects have the last name in the audit log. An id that does not exist, or that the token cannot read, has `visible: false`. Nothing is changed.
     *
     *     Requires any valid credential.
     */
    post: operations['findNames']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/attention': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the open problems of the organization
     * @description Lists webhooks that fail or were disabled after failures, schedules that failed or were suspended, tests with a guardrail metric that got worse or a health check that failed, results that cannot be computed, jobs that failed, clients that are behind or silent, environments of which this node takes no events, and tokens that expire within seven days. Owners and administrators also see service tokens, the token of the first start, and owners and administrators without a second factor.
     *
     *     Requires a person who is signed in to the dashboard.
     */
    get: operations['getAttention']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard/stream': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Stream what changes in an organization
     * @description Announces changes to everything that you can read, while the connection is open. The stream ends with the session, when your role or projects change, and when the node shuts down. Readers of experiments also get `event: presence` with `{ projectId, experimentId, people }` when the people who edit a web experiment change.
     *
     *     Requires a person who is signed in to the dashboard.
     */
    get: operations['streamChanges']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sdk/heartbeat': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a heartbeat
     * @description Reports which SDK runs where, and which revision it serves. Requires no credential: the SDK key in the body is public. Browsers send the JSON as `text/plain`, which needs no preflight request.
     */
    post: operations['sendHeartbeat']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/environments/{envId}/publish': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Publish the data file
     * @description Makes the staged drafts live: all of them, or those of the flags in `flagIds`. If nothing is staged, `changed` is false. `X-Svc-If-Match` takes the ETag of the environment, or of its list of staged changes.
     *
     *     Requires the scope `projects:write`.
     */
    post: operations['publishEnvironment']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/environments/{envId}/staged/preview': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Preview a publish
     * @description Shows how many visitors would get a different value after a publish, and which one. This is the `preview` of a dry run, for everyone who can read the staged changes. Nothing is changed, and the visitors are not stored.
     *
     *     Requires the scope `flags:read`.
     */
    post: operations['previewStagedChanges']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/environments/{envId}/drafts/preview': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Preview drafts
     * @description Shows how many visitors would get a different value if these drafts and audiences were staged and published. `svc plan` uses this call. Each draft is checked separately, in the same way as a replacement. Nothing is staged, and the visitors are not stored. A new rule without `salt` gets a random salt in each preview, so its visitors differ each time.
     *
     *     Requires the scope `flags:read`.
     */
    post: operations['previewDrafts']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sdk/v1/events': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send exposures, tracked events and orders
     * @description Accepts up to 500 events and 1 MiB. The answer comes when the events are stored durably. If there is no answer, or if it is 429 or 503, send the same events with the same ids again: each is counted only once. The SDK key in the body is public. Servers can send an ingest key of the environment as bearer token: the environment says which of its events count only with one (`ingestKeyRequiredFor`), and these are rejected with `ingest_key_required` without it. Browsers send the JSON as `text/plain`, which needs no preflight request.
     */
    post: operations['sendEvents']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ofrep/v1/evaluate/flags': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Evaluate all flags through OFREP
     * @description Bulk evaluation of the OpenFeature Remote Evaluation Protocol 0.3. It counts no visitor, because the client does not show all of these flags.
     *
     *     Requires the SDK key of an environment as bearer token or in `X-API-Key`. The key is public.
     */
    post: operations['evaluateFlagsByOfrep']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ofrep/v1/evaluate/flags/{key}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Evaluate a flag through OFREP
     * @description Single evaluation of the OpenFeature Remote Evaluation Protocol 0.3. If the rule that decides counts visitors, this call counts the visitor. If the environment requires an ingest key for exposures (`ingestKeyRequiredFor`), send it as bearer token and the SDK key in `X-API-Key`: without a key of the environment, the answer is the same and the visitor does not count.
     *
     *     Requires the SDK key of an environment as bearer token or in `X-API-Key`. The key is public.
     */
    post: operations['evaluateFlagByOfrep']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/web/v1/previews/ticket': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Exchange the secret of a preview for its module
     * @description What the script of a site does with the secret in a preview’s link. The module applies the draft; its address works for 60 seconds. 60 tries a minute and address. Requires no credential besides the secret.
     */
    post: operations['getPreviewTicket']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/web/v1/editor/redeem': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Exchange a code for the token of an editor session
     * @description What the frame of the visual editor does. Only pages of this service can do it. A code works once; a code that comes twice ends the session. 60 tries a minute and address.
     */
    post: operations['redeemEditorCode']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/catalog/items/batch': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Add, replace and remove items
     * @description Up to 1000 items and deletions, of which all are saved or none: if something is wrong, `details.issues` names the first 100 faults. The batch becomes visible as one revision before the call returns. Items of a source cannot be changed here. While a job writes the catalog, the answer is 409 with `Retry-After`.
     *
     *     Requires the scope `catalog:write`.
     */
    post: operations['saveItems']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/catalog/sources/{sourceId}/preview': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Preview a catalog source
     * @description Reads the first 100 rows, or the first 100 orders, and saves nothing. Without a body, the file comes from the `url` of the source; otherwise the body is the file, also packed by gzip. What the rows become is in `items` for PRODUCTS, in `values` for a SUPPLEMENT and in `orders` for ORDERS. What is wrong with a file is in `errors` and `fault`.
     *
     *     Requires the scope `catalog:write`.
     */
    post: operations['previewCatalogSource']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/projects/{projectId}/catalog/sources/{sourceId}/uploads': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a file to a catalog source
     * @description The body is the file, also packed by gzip: up to 1 GiB, and 2 GiB unpacked. It is read while it comes; 30 seconds without a byte end it. The answer is the job (202), which can still be at work after the last byte: call `getJob` to see how it ends. While the source has a job that is queued or running, the answer is 409 `invalid_state` with this job. Up to three files of a project are received or read at once. A file that was sent is not kept: if the service stops meanwhile, the job fails, and you send the file again.
     *
     *     Requires the scope `catalog:write`.
     */
    post: operations['uploadCatalogSource']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sdk/v1/recommendations': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Get recommendations
     * @description Answers the products of a placement. The SDK key in the body is public. A placement without a model, an empty catalog or an unknown variant answers with what remains, or with no items. Browsers send the JSON as `text/plain`, which needs no preflight request.
     */
    post: operations['getRecommendations']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    WebTextChangeInput: {
      /** @constant */
      type: 'TEXT'
      /** @description Unique in the set. People and differences name the change by it. */
      id: string
      /** @description The key of a page of the experiment; null acts on all of its pages. */
      page?: string | null
      /**
       * @description A CSS selector without pseudo-elements. The change acts on every element that it finds.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      selector: string
      /** @description What the element showed before. For people; it is never sent to visitors. */
      was?: string | null
      value: string
    }
    WebHtmlChangeInput: {
      /** @constant */
      type: 'HTML'
      /** @description Unique in the set. People and differences name the change by it. */
      id: string
      /** @description The key of a page of the experiment; null acts on all of its pages. */
      page?: string | null
      /**
       * @description A CSS selector without pseudo-elements. The change acts on every element that it finds.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      selector: string
      /** @description What the element showed before. For people; it is never sent to visitors. */
      was?: string | null
      /** @description Complete HTML: every element is closed, and nothing is left for a parser to repair. Elements and attributes that load or run something are refused. */
      value: string
    }
    WebAttributeChangeInput: {
      /** @constant */
      type: 'ATTRIBUTE'
      /** @description Unique in the set. People and differences name the change by it. */
      id: string
      /** @description The key of a page of the experiment; null acts on all of its pages. */
      page?: string | null
      /**
       * @description A CSS selector without pseudo-elements. The change acts on every element that it finds.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      selector: string
      /** @description What the element showed before. For people; it is never sent to visitors. */
      was?: string | null
      name: string
      /** @description Null removes the attribute. */
      value: string | null
    }
    WebImageChangeInput: {
      /** @constant */
      type: 'IMAGE'
      /** @description Unique in the set. People and differences name the change by it. */
      id: string
      /** @description The key of a page of the experiment; null acts on all of its pages. */
      page?: string | null
      /**
       * @description A CSS selector without pseudo-elements. The change acts on every element that it finds.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      selector: string
      /** @description What the element showed before. For people; it is never sent to visitors. */
      was?: string | null
      /** @description An http, https or relative address, or a data image. */
      value: string
      /** @description The alternative text. Null leaves it alone. */
      alt?: string | null
    }
    WebClassChangeInput: {
      /** @constant */
      type: 'CLASS'
      /** @description Unique in the set. People and differences name the change by it. */
      id: string
      /** @description The key of a page of the experiment; null acts on all of its pages. */
      page?: string | null
      /**
       * @description A CSS selector without pseudo-elements. The change acts on every element that it finds.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      selector: string
      /** @description What the element showed before. For people; it is never sent to visitors. */
      was?: string | null
      /** @description Default: `[]`. */
      add?: string[]
      /** @description Default: `[]`. */
      remove?: string[]
    }
    WebStyleChangeInput: {
      /** @constant */
      type: 'STYLE'
      /** @description Unique in the set. People and differences name the change by it. */
      id: string
      /** @description The key of a page of the experiment; null acts on all of its pages. */
      page?: string | null
      /**
       * @description A CSS selector without pseudo-elements. The change acts on every element that it finds.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      selector: string
      /** @description What the element showed before. For people; it is never sent to visitors. */
      was?: string | null
      /**
       * @description Values by CSS property. `!important` is added by itself.
       * @example {
       *       "background-color": "#0055ff"
       *     }
       */
      value: {
        [key: string]: string
      }
    }
    WebHideChangeInput: {
      /** @constant */
      type: 'HIDE'
      /** @description Unique in the set. People and differences name the change by it. */
      id: string
      /** @description The key of a page of the experiment; null acts on all of its pages. */
      page?: string | null
      /**
       * @description A CSS selector without pseudo-elements. The change acts on every element that it finds.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      selector: string
      /** @description What the element showed before. For people; it is never sent to visitors. */
      was?: string | null
      /** @description Whether the element keeps its place, empty. Default: `false`. */
      keepSpace?: boolean
    }
    WebInsertChangeInput: {
      /** @constant */
      type: 'INSERT'
      /** @description Unique in the set. People and differences name the change by it. */
      id: string
      /** @description The key of a page of the experiment; null acts on all of its pages. */
      page?: string | null
      /**
       * @description A CSS selector without pseudo-elements. The change acts on every element that it finds.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      selector: string
      /** @description What the element showed before. For people; it is never sent to visitors. */
      was?: string | null
      /** @description Complete HTML: every element is closed, and nothing is left for a parser to repair. Elements and attributes that load or run something are refused. */
      value: string
      /**
       * @description BEFORE and AFTER are beside the element that the selector finds, FIRST and LAST are inside of it.
       * @enum {string}
       */
      position: 'BEFORE' | 'AFTER' | 'FIRST' | 'LAST'
    }
    WebMoveChangeInput: {
      /** @constant */
      type: 'MOVE'
      /** @description Unique in the set. People and differences name the change by it. */
      id: string
      /** @description The key of a page of the experiment; null acts on all of its pages. */
      page?: string | null
      /**
       * @description A CSS selector without pseudo-elements. The change acts on every element that it finds.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      selector: string
      /** @description What the element showed before. For people; it is never sent to visitors. */
      was?: string | null
      /**
       * @description The selector of the element beside or into which it moves.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      to: string
      /**
       * @description BEFORE and AFTER are beside the element that the selector finds, FIRST and LAST are inside of it.
       * @enum {string}
       */
      position: 'BEFORE' | 'AFTER' | 'FIRST' | 'LAST'
    }
    WebRedirectInput: {
      /** @description An absolute http or https address. Its host must be among the hosts of the project. */
      url: string
      /** @description Whether query and hash of the page are kept. Default: `true`. */
      keepQuery?: boolean
    }
    EveryScheduleInput: {
      /** @enum {string} */
      every: 'HOUR' | 'DAY'
      /**
       * @description Of an hourly schedule, only the minutes count.
       * @example 03:15
       */
      at: string
      /**
       * @description A name of the IANA time zone database. Default: UTC.
       * @example Europe/Amsterdam
       */
      timezone?: string
    }
    CronScheduleInput: {
      /**
       * @description Minute, hour, day of the month, month, day of the week. Runs are at least 5 minutes apart.
       * @example 15 * * * *
       */
      cron: string
      /**
       * @description A name of the IANA time zone database. Default: UTC.
       * @example Europe/Amsterdam
       */
      timezone?: string
    }
    /** @description Texts that replace the default texts. `{{flag.name}}` is a path into the payload; `{{flags.0.key}}` has an index. Null: the default texts. */
    MessageTemplateInput: {
      title?: string | null
      summary?: string | null
    } | null
    Actor: {
      type: string
      id: string | null
      name: string
    }
    Organization: {
      id: string
      shortId: number
      name: string
      /** @description The features that are turned on for the organization. */
      features: string[]
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
    }
    QuietHours: {
      /** @example 09:00 */
      from: string
      /** @example 07:00 */
      to: string
      /** @description Days that are quiet all day. */
      days: ('MON' | 'TUE' | 'WED' | 'THU' | 'FRI' | 'SAT' | 'SUN')[]
      /**
       * @description A name of the IANA time zone database.
       * @example Europe/Amsterdam
       */
      timezone: string
    }
    NotificationSettings: {
      /** @description Filters the events that webhooks and destinations receive by words in names and keys. Safety events are always sent. */
      notifications: {
        /** @enum {string} */
        mode: 'INCLUDE' | 'EXCLUDE'
        keywords: string[]
      } | null
      /** @description When destinations that keep quiet hours wait: from one time to the other on every day, and on all of the listed days. Safety events never wait. */
      quietHours: components['schemas']['QuietHours'] | null
      /**
       * @description When daily digests go out, in the time zone of `digestTimezone`.
       * @example 09:00
       */
      digestAt: string
      /** @description The time zone of `digestAt`. Null: the time zone of the quiet hours, or else UTC. */
      digestTimezone: string | null
    }
    OrganizationSettings: {
      id: string
      shortId: number
      name: string
      /** @description The features that are turned on for the organization. */
      features: string[]
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /** @description Filters the events that webhooks and destinations receive by words in names and keys. Safety events are always sent. */
      notifications: {
        /** @enum {string} */
        mode: 'INCLUDE' | 'EXCLUDE'
        keywords: string[]
      } | null
      /** @description When destinations that keep quiet hours wait: from one time to the other on every day, and on all of the listed days. Safety events never wait. */
      quietHours: components['schemas']['QuietHours'] | null
      /**
       * @description When daily digests go out, in the time zone of `digestTimezone`.
       * @example 09:00
       */
      digestAt: string
      /** @description The time zone of `digestAt`. Null: the time zone of the quiet hours, or else UTC. */
      digestTimezone: string | null
    }
    /** @description A tree of targeting conditions: `{ "all": [...] }`, `{ "any": [...] }`, `{ "not": ... }`, `{ "audience": id }`, `{ "segment": id }` or an attribute with an operator and a value. See docs/targeting.md. */
    Condition: unknown
    WebPage: {
      /** @description Unique in the experiment. Changes name the page by it. */
      key: string
      name: string
      /** @description Where the page is opened for editing. It does not decide who takes part. */
      url?: string | null
      /** @description Targeting conditions over `page.url`, `page.host`, `page.path`, `page.query.<name>`, `page.hash` and `page.referrer`, and over what the site sets. `page.url` is origin and path; neither it nor `page.path` ends with a slash. */
      conditions: unknown
    }
    WebTextChange: {
      /** @constant */
      type: 'TEXT'
      /** @description Unique in the set. People and differences name the change by it. */
      id: string
      /** @description The key of a page of the experiment; null acts on all of its pages. */
      page: string | null
      /**
       * @description A CSS selector without pseudo-elements. The change acts on every element that it finds.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      selector: string
      /** @description What the element showed before. For people; it is never sent to visitors. */
      was: string | null
      value: string
    }
    WebHtmlChange: {
      /** @constant */
      type: 'HTML'
      /** @description Unique in the set. People and differences name the change by it. */
      id: string
      /** @description The key of a page of the experiment; null acts on all of its pages. */
      page: string | null
      /**
       * @description A CSS selector without pseudo-elements. The change acts on every element that it finds.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      selector: string
      /** @description What the element showed before. For people; it is never sent to visitors. */
      was: string | null
      /** @description Complete HTML: every element is closed, and nothing is left for a parser to repair. Elements and attributes that load or run something are refused. */
      value: string
    }
    WebAttributeChange: {
      /** @constant */
      type: 'ATTRIBUTE'
      /** @description Unique in the set. People and differences name the change by it. */
      id: string
      /** @description The key of a page of the experiment; null acts on all of its pages. */
      page: string | null
      /**
       * @description A CSS selector without pseudo-elements. The change acts on every element that it finds.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      selector: string
      /** @description What the element showed before. For people; it is never sent to visitors. */
      was: string | null
      name: string
      /** @description Null removes the attribute. */
      value: string | null
    }
    WebImageChange: {
      /** @constant */
      type: 'IMAGE'
      /** @description Unique in the set. People and differences name the change by it. */
      id: string
      /** @description The key of a page of the experiment; null acts on all of its pages. */
      page: string | null
      /**
       * @description A CSS selector without pseudo-elements. The change acts on every element that it finds.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      selector: string
      /** @description What the element showed before. For people; it is never sent to visitors. */
      was: string | null
      /** @description An http, https or relative address, or a data image. */
      value: string
      /** @description The alternative text. Null leaves it alone. */
      alt: string | null
    }
    WebClassChange: {
      /** @constant */
      type: 'CLASS'
      /** @description Unique in the set. People and differences name the change by it. */
      id: string
      /** @description The key of a page of the experiment; null acts on all of its pages. */
      page: string | null
      /**
       * @description A CSS selector without pseudo-elements. The change acts on every element that it finds.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      selector: string
      /** @description What the element showed before. For people; it is never sent to visitors. */
      was: string | null
      /** @description Default: `[]`. */
      add: string[]
      /** @description Default: `[]`. */
      remove: string[]
    }
    WebStyleChange: {
      /** @constant */
      type: 'STYLE'
      /** @description Unique in the set. People and differences name the change by it. */
      id: string
      /** @description The key of a page of the experiment; null acts on all of its pages. */
      page: string | null
      /**
       * @description A CSS selector without pseudo-elements. The change acts on every element that it finds.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      selector: string
      /** @description What the element showed before. For people; it is never sent to visitors. */
      was: string | null
      /**
       * @description Values by CSS property. `!important` is added by itself.
       * @example {
       *       "background-color": "#0055ff"
       *     }
       */
      value: {
        [key: string]: string
      }
    }
    WebHideChange: {
      /** @constant */
      type: 'HIDE'
      /** @description Unique in the set. People and differences name the change by it. */
      id: string
      /** @description The key of a page of the experiment; null acts on all of its pages. */
      page: string | null
      /**
       * @description A CSS selector without pseudo-elements. The change acts on every element that it finds.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      selector: string
      /** @description What the element showed before. For people; it is never sent to visitors. */
      was: string | null
      /** @description Whether the element keeps its place, empty. Default: `false`. */
      keepSpace: boolean
    }
    WebInsertChange: {
      /** @constant */
      type: 'INSERT'
      /** @description Unique in the set. People and differences name the change by it. */
      id: string
      /** @description The key of a page of the experiment; null acts on all of its pages. */
      page: string | null
      /**
       * @description A CSS selector without pseudo-elements. The change acts on every element that it finds.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      selector: string
      /** @description What the element showed before. For people; it is never sent to visitors. */
      was: string | null
      /** @description Complete HTML: every element is closed, and nothing is left for a parser to repair. Elements and attributes that load or run something are refused. */
      value: string
      /**
       * @description BEFORE and AFTER are beside the element that the selector finds, FIRST and LAST are inside of it.
       * @enum {string}
       */
      position: 'BEFORE' | 'AFTER' | 'FIRST' | 'LAST'
    }
    WebMoveChange: {
      /** @constant */
      type: 'MOVE'
      /** @description Unique in the set. People and differences name the change by it. */
      id: string
      /** @description The key of a page of the experiment; null acts on all of its pages. */
      page: string | null
      /**
       * @description A CSS selector without pseudo-elements. The change acts on every element that it finds.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      selector: string
      /** @description What the element showed before. For people; it is never sent to visitors. */
      was: string | null
      /**
       * @description The selector of the element beside or into which it moves.
       * @example h1
       * @example main a.cta[href="/sign-up"]
       */
      to: string
      /**
       * @description BEFORE and AFTER are beside the element that the selector finds, FIRST and LAST are inside of it.
       * @enum {string}
       */
      position: 'BEFORE' | 'AFTER' | 'FIRST' | 'LAST'
    }
    WebRedirect: {
      /** @description An absolute http or https address. Its host must be among the hosts of the project. */
      url: string
      /** @description Whether query and hash of the page are kept. Default: `true`. */
      keepQuery: boolean
    }
    WebSettings: {
      /** @description Where previews, editor sessions and redirects can go. */
      hosts?: string[]
      /**
       * @description REQUIRED: nothing is stored or sent before the page calls `svc.consent(true)`. Default: `"NOT_REQUIRED"`.
       * @enum {string}
       */
      consent?: 'NOT_REQUIRED' | 'REQUIRED'
      /**
       * @description While consent is required and open: HOLD changes nothing, APPLY changes the page and sends nothing. Default: `"HOLD"`.
       * @enum {string}
       */
      pending?: 'HOLD' | 'APPLY'
      /** @description Whether Do Not Track and Global Privacy Control count as a refusal of consent. Default: `true`. */
      honorPrivacySignals?: boolean
      /** @description Whether the code of variations is served. Default: `true`. */
      codeVariations?: boolean
      /** @description A new visitor takes no part if the page was shown this long before the script ran. Default: `2000`. */
      maxDelayMs?: number
      /** @description How long browsers use the script without asking again. Default: `60`. */
      scriptMaxAgeSeconds?: number
      /** @description The domain of the cookie with the visitor id. Null: the widest one that the browser takes. */
      cookieDomain?: string | null
    }
    CurrentWebSettings: {
      hosts: string[]
      /**
       * @description REQUIRED: nothing is stored or sent before the page calls `svc.consent(true)`. Default: `"NOT_REQUIRED"`.
       * @enum {string}
       */
      consent: 'NOT_REQUIRED' | 'REQUIRED'
      /**
       * @description While consent is required and open: HOLD changes nothing, APPLY changes the page and sends nothing. Default: `"HOLD"`.
       * @enum {string}
       */
      pending: 'HOLD' | 'APPLY'
      /** @description Whether Do Not Track and Global Privacy Control count as a refusal of consent. Default: `true`. */
      honorPrivacySignals: boolean
      /** @description Whether the code of variations is served. Default: `true`. */
      codeVariations: boolean
      /** @description A new visitor takes no part if the page was shown this long before the script ran. Default: `2000`. */
      maxDelayMs: number
      /** @description How long browsers use the script without asking again. Default: `60`. */
      scriptMaxAgeSeconds: number
      /** @description The domain of the cookie with the visitor id. Null: the widest one that the browser takes. */
      cookieDomain: string | null
    }
    MetricTrigger: {
      /**
       * @description `CLICK`: a click on an element or inside of it. `FORM_SUBMIT`: a form is sent. `SEEN`: half of an element shows, or it fills half of the screen. `PAGE_VIEW`: the page is opened.
       * @enum {string}
       */
      on: 'CLICK' | 'FORM_SUBMIT' | 'PAGE_VIEW' | 'SEEN'
      /** @description A CSS selector of the elements. Null for a `PAGE_VIEW`, and required otherwise. */
      selector?: string | null
      /** @description Targeting conditions over the attributes that pages of web experiments have. It counts where they hold; null: on every page that has the script. */
      conditions?: unknown | null
    }
    CurrentMetricTrigger: {
      /**
       * @description `CLICK`: a click on an element or inside of it. `FORM_SUBMIT`: a form is sent. `SEEN`: half of an element shows, or it fills half of the screen. `PAGE_VIEW`: the page is opened.
       * @enum {string}
       */
      on: 'CLICK' | 'FORM_SUBMIT' | 'PAGE_VIEW' | 'SEEN'
      /** @description A CSS selector of the elements. Null for a `PAGE_VIEW`, and required otherwise. */
      selector: string | null
      /** @description Targeting conditions over the attributes that pages of web experiments have. It counts where they hold; null: on every page that has the script. */
      conditions: unknown
    }
    DataFileRule: {
      /** @description The short id of the rule. */
      id: string
      /** @enum {string} */
      type: 'TARGETED_DELIVERY' | 'AB_TEST'
      /** @description A tree of targeting conditions. Default: matches every visitor. */
      when?: unknown
      /** @description The attributes that make up the bucketing unit. Default: the targeting key. */
      bucketBy?: string[]
      /** @description Default: 1. */
      hashVersion?: number
      salt: string
      /** @description Traffic allocation in basis points. Default: 10000. */
      traffic?: number
      /** @description For a targeted delivery only: the variation to give. */
      variation?: string
      /** @description For an A/B test only: `end` is the exclusive upper bound of the buckets of a variation. */
      split?: {
        variation: string
        end: number
      }[]
      overrides?: {
        [key: string]: string
      }
      /** @description Key of the exclusion group. */
      group?: string
      /** @description Key of the holdout. */
      holdout?: string
      sticky?: boolean
    } & {
      [key: string]: unknown
    }
    DataFileFlag: {
      id: string
      /** @enum {string} */
      type: 'BOOLEAN' | 'STRING' | 'NUMBER' | 'JSON'
      /** @description If false, every visitor gets the default variation. */
      enabled: boolean
      /** @description Values by variation key, as texts. */
      variations: {
        [key: string]: string
      }
      defaultVariation: string
      /** @description Variation keys by user id, or by its hash. */
      overrides?: {
        [key: string]: string
      }
      /** @description If present, users are named by hashes with this salt. */
      overrideSalt?: string
      /** @description Running rules in evaluation order. */
      rules?: components['schemas']['DataFileRule'][]
    } & {
      [key: string]: unknown
    }
    /** @description What an environment serves. The page “SDKs in other languages” specifies how to evaluate it. */
    DataFile: {
      /** @constant */
      schemaVersion: 1
      /** @description Grows by one with every change. */
      revision: number
      environment: {
        id: string
        key: string
      }
      /** @description Null before the first publish. */
      publishedAt: string | null
      /** @description Conditions by audience id. */
      audiences: {
        [key: string]: unknown
      }
      /** @description Members by segment id. Absent if no rule uses a segment. */
      segments?: {
        [key: string]: unknown
      }
      /** @description Slots by exclusion group key. */
      exclusionGroups: {
        [key: string]: unknown
      }
      /** @description Shares of visitors by holdout key. Absent if no rule has a holdout. */
      holdouts?: {
        [key: string]: unknown
      }
      /** @description By flag key. */
      flags: {
        [key: string]: components['schemas']['DataFileFlag']
      }
      /** @description By event key. */
      events: {
        [key: string]: unknown
      }
    } & {
      [key: string]: unknown
    }
    Role: {
      id: string
      name: string
      description: string | null
      /** @description Built-in roles cannot be changed. */
      builtIn: boolean
      capabilities: (
        | 'view_reports'
        | 'export_data'
        | 'manage_projects'
        | 'edit_project_settings'
        | 'create_experiments'
        | 'edit_code_variations'
        | 'manage_integrations'
      )[]
      /** @description The scopes of members with this role, sorted. */
      scopes: string[]
      memberCount: number
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
    }
    Capability: {
      /** @enum {string} */
      capability:
        | 'view_reports'
        | 'export_data'
        | 'manage_projects'
        | 'edit_project_settings'
        | 'create_experiments'
        | 'edit_code_variations'
        | 'manage_integrations'
      text: string
      scopes: string[]
    }
    MyOrganization: {
      id: string
      shortId: number
      name: string
      role: {
        id: string
        name: string
      } | null
    }
    Me: {
      /** @enum {string} */
      type: 'SERVICE_TOKEN' | 'PERSONAL_TOKEN' | 'SESSION'
      id: string
      name: string
      /** @description The organization of this request. Null if there are several and `Svc-Org-Id` is missing. */
      organization: components['schemas']['MeOrganization'] | null
      /** @description All organizations that the credential gives access to. Send the id of one of them as `Svc-Org-Id`. */
      organizations: components['schemas']['MyOrganization'][]
      user: components['schemas']['MeUser'] | null
      role: {
        id: string
        name: string
      } | null
      /** @description The scopes of this request, sorted. */
      scopes: string[]
    }
    ServiceToken: {
      id: string
      name: string
      description: string | null
      scopes: (
        | 'org:read'
        | 'org:write'
        | 'projects:read'
        | 'projects:write'
        | 'experiments:read'
        | 'experiments:write'
        | 'flags:read'
        | 'flags:write'
        | 'audiences:read'
        | 'audiences:write'
        | 'segments:read'
        | 'segments:write'
        | 'metrics:read'
        | 'metrics:write'
        | 'results:read'
        | 'members:read'
        | 'members:write'
        | 'roles:read'
        | 'roles:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'integrations:read'
        | 'integrations:write'
        | 'catalog:read'
        | 'catalog:write'
        | 'datasets:read'
        | 'datasets:write'
        | 'recommendations:read'
        | 'recommendations:write'
        | 'orders:read'
        | 'audit:read'
        | 'tokens:read'
        | 'tokens:write'
        | 'admin:*'
      )[]
      /** @description The scopes of the token that currently have no effect. */
      ineffectiveScopes: (
        | 'org:read'
        | 'org:write'
        | 'projects:read'
        | 'projects:write'
        | 'experiments:read'
        | 'experiments:write'
        | 'flags:read'
        | 'flags:write'
        | 'audiences:read'
        | 'audiences:write'
        | 'segments:read'
        | 'segments:write'
        | 'metrics:read'
        | 'metrics:write'
        | 'results:read'
        | 'members:read'
        | 'members:write'
        | 'roles:read'
        | 'roles:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'integrations:read'
        | 'integrations:write'
        | 'catalog:read'
        | 'catalog:write'
        | 'datasets:read'
        | 'datasets:write'
        | 'recommendations:read'
        | 'recommendations:write'
        | 'orders:read'
        | 'audit:read'
        | 'tokens:read'
        | 'tokens:write'
        | 'admin:*'
      )[]
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /** @description Name of the creator. Null if the token is from the provisioning file. */
      createdBy: string | null
      /** @description The service made this secret at its first start and wrote it to a file. A rotation gives the token a different one. */
      initial: boolean
      expiresAt: string | null
      /**
       * @description `EXPIRING`: the token expires within 7 days (within a day if its whole life is at most 7 days). `PREVIOUS_SECRET`: an old secret that was rotated and still works.
       * @enum {string}
       */
      status: 'ACTIVE' | 'EXPIRING' | 'EXPIRED' | 'REVOKED' | 'PREVIOUS_SECRET'
      /** @description Present only for a previous secret: the id of its token. */
      replacedBy: string | null
      revokedAt: string | null
      /** @description Accurate to 2 seconds. */
      lastUsedAt: string | null
      lastUsedIp: string | null
      lastUsedUserAgent: string | null
    }
    Scope: {
      /** @enum {string} */
      scope:
        | 'org:read'
        | 'org:write'
        | 'projects:read'
        | 'projects:write'
        | 'experiments:read'
        | 'experiments:write'
        | 'flags:read'
        | 'flags:write'
        | 'audiences:read'
        | 'audiences:write'
        | 'segments:read'
        | 'segments:write'
        | 'metrics:read'
        | 'metrics:write'
        | 'results:read'
        | 'members:read'
        | 'members:write'
        | 'roles:read'
        | 'roles:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'integrations:read'
        | 'integrations:write'
        | 'catalog:read'
        | 'catalog:write'
        | 'datasets:read'
        | 'datasets:write'
        | 'recommendations:read'
        | 'recommendations:write'
        | 'orders:read'
        | 'audit:read'
        | 'tokens:read'
        | 'tokens:write'
        | 'admin:*'
      text: string
      /** @description The scope can be chosen, but currently has no effect. */
      ineffective: boolean
    }
    PersonalToken: {
      id: string
      name: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      expiresAt: string | null
      expired: boolean
      revokedAt: string | null
      /** @description Accurate to 2 seconds. */
      lastUsedAt: string | null
      lastUsedIp: string | null
      lastUsedUserAgent: string | null
    }
    Environment: {
      id: string
      projectId: string
      name: string
      key: string
      color: string
      builtIn: boolean
      /** @description The dashboard asks for a confirmation before each switch. */
      protected: boolean
      /**
       * @description Which events count only if their request has an ingest key. `NONE`: events count without one. `TRACKED_EVENTS`: tracked events need one, and exposures do not. `ALL`: exposures need one, too.
       * @enum {string}
       */
      ingestKeyRequiredFor: 'NONE' | 'TRACKED_EVENTS' | 'ALL'
      /** @description When an event was last rejected because it had no ingest key, to the minute. Null: that has not happened. */
      ingestKeyMissedAt: string | null
      /** @description Place in the order of the project’s environments, from 0. */
      position: number
      /** @constant */
      status: 'ACTIVE'
      /** @description The public key that names the environment to SDKs. If it has two, the newest. */
      sdkKey: string
      /** @description True once an SDK has confirmed a fetch. */
      connected: boolean
      lastHeartbeatAt: string | null
      /** @description SDKs seen in the last 10 minutes. */
      sdks: components['schemas']['EnvironmentSdk'][]
      dataFile: components['schemas']['EnvironmentDataFile']
      hasStagedChanges: boolean
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
    }
    IngestKey: {
      id: string
      /** @description The last four characters of the key. */
      lastCharacters: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      createdBy: components['schemas']['Actor']
      /** @description When a request last had the key, to the minute. Null: the key was never used. */
      lastUsedAt: string | null
      /** @description The address of that request. */
      lastUsedIp: string | null
      /** @description The program that sent that request. */
      lastUsedUserAgent: string | null
    }
    CreatedIngestKey: {
      id: string
      /** @description The last four characters of the key. */
      lastCharacters: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      createdBy: components['schemas']['Actor']
      /** @description When a request last had the key, to the minute. Null: the key was never used. */
      lastUsedAt: string | null
      /** @description The address of that request. */
      lastUsedIp: string | null
      /** @description The program that sent that request. */
      lastUsedUserAgent: string | null
      /** @description The key, `svc_ing_…`. Present only in this answer. Null in a repeated answer. */
      secret: string | null
    }
    Heartbeat: {
      sdkKey: string
      sdkType: string
      sdkVersion: string
      instanceId?: string
      revision?: number
      /** @description Default: `[]`. */
      evaluatedFlags?: string[]
    }
    HeartbeatAnswer: {
      /** @constant */
      success: true
    }
    Propagation: {
      envId: string
      revision: number
      currentRevision: number
      /** @description Null for the first file of the environment, and if the revision is no longer kept. */
      publishedAt: string | null
      /** @description True if no live instance is behind and `full` is false. */
      complete: boolean
      /** @description True if 1000 instances are live. That is the maximum that can be tracked; further instances may be behind. */
      full: boolean
      /** @description Numbers of instances. `confirmed`: they serve this revision or a later one. `behind`: they serve an earlier one. `silent`: they sent no heartbeat for 90 s and count as neither. `untold`: their heartbeats have no id, no revision or one that does not exist. */
      instances: components['schemas']['PropagationInstances']
      revisions: {
        revision: number
        instances: number
      }[]
      /** @description Up to 100 instances, oldest heartbeat first. */
      behind: components['schemas']['PropagationBehind'][]
      /** @description Up to 100 instances, oldest heartbeat first. */
      silent: components['schemas']['PropagationBehind'][]
      /** @description Time from the publish to the first heartbeat with the revision or a later one. Instances that were first seen after the publish, or that have had more than 20 revisions since, are not counted. Null if no instance is counted. */
      took: components['schemas']['PropagationTook'] | null
      silentAfterSeconds: number
    }
    Client: {
      /** @description Null if the client reports no id. The row then counts any number of instances. */
      instanceId: string | null
      /** @description The runtime, such as `node` or `browser`. */
      sdkType: string
      sdkVersion: string
      /**
       * @description `SILENT`: it sent no heartbeat for 90 s. `UNKNOWN`: it reports no id, no revision, or one that does not exist.
       * @enum {string}
       */
      state: 'BEHIND' | 'SILENT' | 'UNKNOWN' | 'UP_TO_DATE'
      /** @description The revision that the client serves; null if unknown. */
      revision: number | null
      /** @description How many later revisions there are. Null if the state is `UNKNOWN`, or was `UNKNOWN` before the client became silent. */
      revisionsBehind: number | null
      /** @description Since when the client serves this revision. */
      since: string | null
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      firstSeenAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      lastSeenAt: string
    }
    SdkKey: {
      id: string
      /** @description Public. SDKs read the environment with it. */
      key: string
      /** @description Whether it is the `sdkKey` of the environment. */
      newest: boolean
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /** @description Null if unknown. */
      createdBy: components['schemas']['Actor'] | null
      /** @description The time of the last of `uses`, to the minute. Null: the key was never used. */
      lastUsedAt: string | null
      /** @description What the key was used for, the last use first. */
      uses: {
        /**
         * @description `DATA_FILE`: a data file was requested, by an SDK or a cache. `STREAM`: a stream was open. `EVALUATION`: OFREP evaluated flags. `EVENTS`: events were sent. `HEARTBEAT`: an SDK reported what it serves.
         * @enum {string}
         */
        use: 'DATA_FILE' | 'STREAM' | 'EVALUATION' | 'EVENTS' | 'HEARTBEAT'
        /**
         * Format: date-time
         * @description ISO 8601 in UTC with milliseconds.
         */
        lastUsedAt: string
      }[]
      /** @description The SDKs that reported in the last day that they use the key, those seen last first. Up to 100 for all keys of the environment. */
      clients: components['schemas']['SdkKeyClient'][]
    }
    Project: {
      id: string
      shortId: number
      orgId: string
      /** @description Paths accept the key instead of the id. */
      key: string
      name: string
      /**
       * @description FEATURE_FLAG: the project has flags, and its experiments test flags. WEB: its experiments test web pages, and it has no flags.
       * @enum {string}
       */
      type: 'FEATURE_FLAG' | 'WEB'
      /** @description Whether the service keeps a sample of visitors with their attributes, to suggest attributes and values for conditions and to estimate who matches an audience. */
      samplesVisitors: boolean
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
    }
    Schedule: {
      id: string
      /** @description Null for a web experiment. */
      flagId: string | null
      envId: string
      /** @description Null: the environment’s switch of the flag. */
      ruleId: string | null
      /** @enum {string} */
      action: 'RUN' | 'PAUSE'
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      runAt: string
      timezone: string
      note: string | null
      /** @enum {string} */
      status: 'PENDING' | 'SUSPENDED' | 'DONE' | 'FAILED' | 'CANCELLED'
      failureReason: string | null
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
    }
    PublishedScript: {
      /** @description Before compression. */
      bytes: number
      /** @description As served for the newest SDK key of the environment. */
      etag: string
    }
    Winner: {
      variationKey: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      declaredAt: string
      declaredBy: components['schemas']['Actor']
      comment: string | null
      /** @description Whether a delivery rule of this variation replaced the test. */
      rolledOut: boolean
    }
    /** @description The same of POPULAR, on the same days: what a model must beat to be of use. */
    PopularMetrics: {
      /** @description The share of what a visitor took up later that was among the best 20. */
      recall20: number | null
      /** @description The same, and what is further up counts more. */
      ndcg20: number | null
      /** @description Of FOR_YOU: how often the next product of a session was among the best 20. */
      hitRate20: number | null
      /** @description Of FOR_YOU: the mean of 1 / its place, and 0 if it was not there. */
      mrr20: number | null
      /** @description The share of products that are in any list. */
      coverage20: number
      /** @description How often the model had nothing, and POPULAR answered. */
      fallbackShare: number
    }
    RecommendationMetrics: {
      /** @description The share of what a visitor took up later that was among the best 20. */
      recall20: number | null
      /** @description The same, and what is further up counts more. */
      ndcg20: number | null
      /** @description Of FOR_YOU: how often the next product of a session was among the best 20. */
      hitRate20: number | null
      /** @description Of FOR_YOU: the mean of 1 / its place, and 0 if it was not there. */
      mrr20: number | null
      /** @description The share of products that are in any list. */
      coverage20: number
      /** @description How often the model had nothing, and POPULAR answered. */
      fallbackShare: number
      popular: components['schemas']['PopularMetrics']
    }
    EverySchedule: {
      /** @enum {string} */
      every: 'HOUR' | 'DAY'
      /**
       * @description Of an hourly schedule, only the minutes count.
       * @example 03:15
       */
      at: string
      /**
       * @description A name of the IANA time zone database. Default: UTC.
       * @example Europe/Amsterdam
       */
      timezone: string
    }
    CronSchedule: {
      /**
       * @description Minute, hour, day of the month, month, day of the week. Runs are at least 5 minutes apart.
       * @example 15 * * * *
       */
      cron: string
      /**
       * @description A name of the IANA time zone database. Default: UTC.
       * @example Europe/Amsterdam
       */
      timezone: string
    }
    FlagOwner: {
      id: string
      name: string
      email: string
      /** @description True if the person is no longer a member of the organization. */
      left: boolean
    }
    Staged: {
      defaultVariationId: string | null
      variations: boolean
      overrides: boolean
      /** @description Rules created, edited, moved or deleted since the last publish. */
      rules: number
    }
    FlagEnvironment: {
      envId: string
      name: string
      enabled: boolean
      /** @description The live default variation. `staged` contains the draft. */
      defaultVariationId: string
      staged: components['schemas']['Staged']
      ruleCount: number
      runningRuleCount: number
      overrideCount: number
      lastPublishedRevision: number | null
      lastEvaluatedAt: string | null
    }
    Variation: {
      id: string
      name: string
      key: string
      value: string
    }
    Flag: {
      id: string
      shortId: number
      projectId: string
      name: string
      key: string
      description: string | null
      /** @enum {string} */
      type: 'BOOLEAN' | 'STRING' | 'NUMBER' | 'JSON'
      /** @enum {string} */
      status: 'DRAFT' | 'PAUSED' | 'RUNNING' | 'ARCHIVED'
      /** @description True if the flag was not edited for 90 days or not evaluated for 30; see `docs/publishing.md`. */
      stale: boolean
      /** @description True for a flag that you keep on purpose. It is never stale. */
      permanent: boolean
      variations: components['schemas']['Variation'][]
      defaultVariationKey: string
      /** @description The form that values of a JSON flag must have, as JSON Schema with the keywords type, properties, required, items, enum, const, additionalProperties, minimum, maximum, minLength and maxLength; at most 16 KB. Values are checked when they are saved. Null: any JSON. */
      valueSchema: {
        [key: string]: unknown
      } | null
      tags: string[]
      /** @description The person who looks after the flag. A person who leaves the organization stays the owner until you choose another one. */
      owner: components['schemas']['FlagOwner'] | null
      environments: components['schemas']['FlagEnvironment'][]
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
      archivedAt: string | null
    }
    NewVariation: {
      name: string
      key: string
      /** @description BOOLEAN: `true` or `false`. STRING: any text. NUMBER: a finite number, such as `0.25`. JSON: JSON of at most 8192 bytes. Numbers and JSON are rewritten to one spelling when they are saved. */
      value: string
    }
    ReplacedVariation: {
      id?: string
      name: string
      key: string
      /** @description BOOLEAN: `true` or `false`. STRING: any text. NUMBER: a finite number, such as `0.25`. JSON: JSON of at most 8192 bytes. Numbers and JSON are rewritten to one spelling when they are saved. */
      value: string
    }
    CatalogItem: {
      /** @description The id in the shop. Case-sensitive. */
      itemId: string
      /** @description Items with the same value are variants of one product. */
      productId: string
      title: string
      description: string | null
      /**
       * Format: uri
       * @description The page of the item in the shop.
       */
      link: string
      imageLink: string | null
      additionalImageLinks: string[]
      /**
       * @description `IN_STOCK` with a `stock` of 0 counts as `OUT_OF_STOCK`, and is shown so.
       * @enum {string}
       */
      availability: 'IN_STOCK' | 'OUT_OF_STOCK' | 'PREORDER' | 'BACKORDER'
      /** @description How many there are. Null if unknown. */
      stock: number | null
      /**
       * @description A decimal text with two to four decimals.
       * @example 19.99
       */
      price: string
      /** @description The price between `saleFrom` and `saleUntil`. */
      salePrice: string | null
      /** @description Null: the sale has begun. */
      saleFrom: string | null
      /** @description Null: the sale has no end. */
      saleUntil: string | null
      /**
       * @description The ISO 4217 code of all amounts.
       * @example EUR
       */
      currency: string
      /** @description What the shop pays for the item. */
      cost: string | null
      brand: string | null
      gtin: string | null
      mpn: string | null
      sku: string | null
      /**
       * @description From the top level down.
       * @example [
       *       "Clothing",
       *       "Shirts"
       *     ]
       */
      categories: string[]
      condition: ('NEW' | 'REFURBISHED' | 'USED') | null
      adult: boolean
      labels: string[]
      /**
       * @example {
       *       "color": "blue",
       *       "size": "M"
       *     }
       */
      attributes: {
        [key: string]: string
      }
      /** @description The source that keeps the item up to date. Null if it came by the API. */
      sourceId: string | null
      /** @description The revision of the catalog that brought the item as it is. */
      revision: number
    }
    SentCatalogItem: {
      /** @description Required. 1 to 100 characters, case-sensitive. */
      itemId?: string | null
      /** @description Default: the `itemId`. Items with the same value are variants of a product. */
      productId?: string | null
      /** @description Required. Cut to 500 characters. */
      title?: string | null
      /** @description Cut to 5,000 characters. */
      description?: string | null
      /** @description Required: an http or https URL. */
      link?: string | null
      imageLink?: string | null
      /** @description Up to 10. */
      additionalImageLinks?: string[] | null
      /** @description One of IN_STOCK, OUT_OF_STOCK, PREORDER, BACKORDER. Default: IN_STOCK. */
      availability?: string | null
      /** @description With 0, an item that is IN_STOCK counts as OUT_OF_STOCK. */
      stock?: number | null
      /** @description Required. A decimal text such as `"19.99"`. */
      price?: string | null
      /** @description A decimal text such as `"19.99"`. More than four decimals are rounded. */
      salePrice?: string | null
      /** @description ISO 8601. Without an offset, in UTC. */
      saleFrom?: string | null
      saleUntil?: string | null
      /** @description An ISO 4217 code. Default: the reporting currency of the catalog. */
      currency?: string | null
      /** @description A decimal text such as `"19.99"`. More than four decimals are rounded. */
      cost?: string | null
      brand?: string | null
      gtin?: string | null
      mpn?: string | null
      sku?: string | null
      /** @description From the top level down, up to 10 levels. */
      categories?: string[] | null
      /** @description One of NEW, REFURBISHED, USED. */
      condition?: string | null
      adult?: boolean | null
      /** @description Up to 50. */
      labels?: string[] | null
      /**
       * @description Up to 50. Numbers and booleans become texts.
       * @example {
       *       "color": "blue",
       *       "size": "M"
       *     }
       */
      attributes?: {
        [key: string]: string | number | boolean | null
      } | null
    }
    Job: {
      id: string
      /** @description What the job does: `feed_sync`, `catalog_import`, `cost_sync`, `stock_sync`, `order_import`, `catalog_removal`, `catalog_restore`, `dataset_refresh`, `recommendation_run` or `visitor_erasure`. Later versions add more kinds. */
      kind: string
      /** @description What the job is about. For an erasure, a restore or a removal, this is the project. */
      source: components['schemas']['JobSource']
      /**
       * @description A job that failed because of a temporary fault is `QUEUED` again until its last attempt. `HELD`: a check stopped the job before anything went live.
       * @enum {string}
       */
      status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'HELD'
      /**
       * @description What started the job.
       * @enum {string}
       */
      trigger: 'SCHEDULE' | 'REQUEST' | 'UPLOAD'
      /** @description The number of attempts so far. */
      attempt: number
      /**
       * Format: date-time
       * @description When a worker can start the job.
       */
      dueAt: string
      startedAt: string | null
      endedAt: string | null
      /** @description How far the job is. `of` is null if the total is unknown. */
      progress: components['schemas']['JobProgress'] | null
      /** @description What the job has done. For a sync of a feed: `changed`, `rows`, `rowsSkipped`, counts of problems by code in `skipped` and `warnings`, the `catalog` with its revision and counts of items, and the `file`; of one that is held, `guard` has the limit that stopped it, and `guards` has all of them. For a restore: `changed`, the revision that was `restored`, and the `catalog`; for a removal, the same with the `sourceId`. For a version of a dataset: `changed`, `versionId`, `number`, `rows` and `checks`. For a run of a model: `runId`, `runNumber`, `activated`, `products`, `bytes`, `metrics` and the `reason` why it does not serve. For an erasure: `visitors` and `rules` (counts), and the `segments` and `allowlists` that still name one of the visitors, because people configured them. */
      result: {
        [key: string]: unknown
      } | null
      /** @description Why the job failed, is held, or is retried. */
      reason: string | null
      itemsSkipped: number
      /** @description The held job that this job applies. */
      appliesJobId: string | null
      /** @description The failed or cancelled job that this job retries. */
      retriesJobId: string | null
      /** @description Whether a person has cancelled the job and it is still ending. */
      isCancelling: boolean
      /** @description What the sender of a file called it, while the job reads the file. */
      sending: string | null
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
    }
    ExposureEvent: {
      /** @constant */
      type: 'exposure'
      /** @description Chosen by the sender: any text, such as a UUID or the id of an order. An event whose id the environment received in the last 7 days counts as a duplicate, so repeat a request with the same ids. UUIDs of version 7 are stored fastest. */
      id: string
      /** @description When it happened: an ISO 8601 time, or milliseconds since 1970. A time in the future or more than 30 days ago is replaced by the time of arrival. */
      ts: string | number
      /** @description The visitor: the value by which the rule assigns variations. */
      unit: string
      /** @description The rule: its short id as text, as in the data file. */
      ruleId: string
      variationKey: string
      flagKey?: string
      /** @description `OVERRIDE`: an allowlist set the variation. The exposure is counted separately. */
      reason?: string
      /** @description Dimensions by which results can be split: the first 20 texts, numbers and booleans. `userAgent` shows whether the visitor is a bot. */
      context?: {
        [key: string]: unknown
      }
    }
    TrackEvent: {
      /** @constant */
      type: 'track'
      /** @description Chosen by the sender: any text, such as a UUID or the id of an order. An event whose id the environment received in the last 7 days counts as a duplicate, so repeat a request with the same ids. UUIDs of version 7 are stored fastest. */
      id: string
      /** @description When it happened: an ISO 8601 time, or milliseconds since 1970. A time in the future or more than 30 days ago is replaced by the time of arrival. */
      ts: string | number
      /** @description The visitor: the value by which the rule assigns variations. */
      unit: string
      eventKey: string
      /** @description A value between -1e-12 and 1e-12 counts as 0. */
      value?: number | null
      /** @description Facts about the event. Of these, only `productId` is stored, from which recommendations learn: a text of up to 100 characters, or a whole number. Of the event `order`, they are the order. */
      properties?: {
        [key: string]: unknown
      }
    }
    /** @description A visitor has placed an order. A tracked event `order` with the fields of `order` as `properties` means the same. */
    OrderEvent: {
      /** @constant */
      type: 'order'
      /** @description Chosen by the sender: any text, such as a UUID or the id of an order. An event whose id the environment received in the last 7 days counts as a duplicate, so repeat a request with the same ids. UUIDs of version 7 are stored fastest. */
      id: string
      /** @description When it happened: an ISO 8601 time, or milliseconds since 1970. A time in the future or more than 30 days ago is replaced by the time of arrival. */
      ts: string | number
      /** @description The visitor: the value by which the rule assigns variations. */
      unit: string
      order: components['schemas']['OrderEventOrder']
    }
    /** @description The code of a variation threw an error. The script of web experiments sends it. */
    ErrorEvent: {
      /** @constant */
      type: 'error'
      /** @description Chosen by the sender: any text, such as a UUID or the id of an order. An event whose id the environment received in the last 7 days counts as a duplicate, so repeat a request with the same ids. UUIDs of version 7 are stored fastest. */
      id: string
      /** @description When it happened: an ISO 8601 time, or milliseconds since 1970. A time in the future or more than 30 days ago is replaced by the time of arrival. */
      ts: string | number
      /** @description The visitor: the value by which the rule assigns variations. */
      unit: string
      /** @description The rule: its short id as text, as in the data file. */
      ruleId: string
      /** @description The variation whose code threw. It counts only if the data file gives the unit this variation. */
      variationKey: string
      /** @description The version of the code in the script. Errors of an earlier code do not count. */
      codeVersion?: string | null
      /** @description The first 200 characters are kept. */
      message: string
      /** @description Within the code, from 1. */
      line?: number | null
    }
    Events: {
      sdkKey: string
      events: (
        | components['schemas']['ExposureEvent']
        | components['schemas']['TrackEvent']
        | components['schemas']['OrderEvent']
        | components['schemas']['ErrorEvent']
      )[]
    }
    EventsAnswer: {
      /** @description How many events were stored now. */
      accepted: number
      /** @description How many were duplicates: they had been stored before. */
      duplicates: number
      /** @description Events that were rejected. Sending them again changes nothing. */
      rejected: components['schemas']['EventsAnswerRejected'][]
    }
    Order: {
      id: string
      /** @description The id that the shop has given it. Unique in the environment. */
      orderId: string
      /** @description The visitor; null if nobody has named one. */
      unit: string | null
      envId: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      placedAt: string
      /** @enum {string} */
      status: 'PLACED' | 'PARTIALLY_REFUNDED' | 'REFUNDED' | 'CANCELLED'
      /**
       * @description Who knows the order: an SDK has sent it, or an import.
       * @enum {string}
       */
      origin: 'SDK' | 'IMPORT' | 'BOTH'
      /** @description Whether it counts in results. The setting `orders.trust` of the catalog decides. */
      counted: boolean
      /** @description Of all amounts of the order: a code of ISO 4217. */
      currency: string
      /**
       * @description What the visitor paid, with taxes and shipping.
       * @example 19.99
       */
      total: string
      /**
       * @description A decimal text with two to four decimals.
       * @example 19.99
       */
      tax: string
      /**
       * @description A decimal text with two to four decimals.
       * @example 19.99
       */
      shipping: string
      /**
       * @description A decimal text with two to four decimals.
       * @example 19.99
       */
      discount: string
      /**
       * @description A decimal text with two to four decimals.
       * @example 19.99
       */
      refunded: string
      /** @description Null without a rate: the order counts, but not as money. */
      reporting: components['schemas']['OrderReporting'] | null
      items: components['schemas']['OrderItem'][]
    }
    OrderSummary: {
      /** @description Of all amounts. Null until there are orders or a setting. */
      currency: string | null
      days: components['schemas']['OrderSummaryDay'][]
      total: components['schemas']['OrderSummaryTotal']
    }
    CatalogSource: {
      id: string
      projectId: string
      key: string
      name: string
      /**
       * @description PRODUCTS: items. SUPPLEMENT: some fields of items. ORDERS: orders and refunds. Cannot change.
       * @enum {string}
       */
      type: 'PRODUCTS' | 'SUPPLEMENT' | 'ORDERS'
      /**
       * @description FULL: an item that the file does not have is removed. DELTA: only a row with `deleted` true removes one. Default: FULL; of ORDERS, DELTA, which they always are.
       * @enum {string}
       */
      mode: 'FULL' | 'DELTA'
      /**
       * @description AUTO: found from the first bytes, the address and the content type. Default: AUTO.
       * @enum {string}
       */
      format: 'AUTO' | 'GOOGLE_XML' | 'CSV' | 'TSV' | 'JSONL' | 'SHOPIFY_JSON'
      /**
       * @description Of a file without a mark of its encoding. Default: utf-8.
       * @enum {string}
       */
      encoding: 'utf-8' | 'windows-1252'
      /**
       * @description An https URL on the public internet, as of a webhook. Null: files are only uploaded. Default: null.
       * @example https://shop.example/feed.xml
       */
      url: string | null
      /** @description How the file is asked for. Only the first host of a redirect gets it. */
      auth:
        | (
            | components['schemas']['CatalogSourceAuth']
            | {
                /** @constant */
                type: 'BEARER'
                /** @description Answers show only its last four characters. A secret that is left out, or sent as it was shown, stays; if the address leads to a different host, it must be sent again. */
                secret?: string
              }
            | components['schemas']['CatalogSourceAuth3']
          )
        | null
      /** @description Our field → the name of a column, which replaces those that are known for it. Default: {}. */
      mapping: {
        [key: string]: string
      }
      /**
       * @description Of prices without one. Default: null, and such rows are skipped.
       * @example EUR
       */
      defaultCurrency: string | null
      /** @description When a sync is held instead of going live. A source of ORDERS has `maxSkippedShare` alone. */
      guards: components['schemas']['CatalogSourceGuards']
      schedule: (components['schemas']['EverySchedule'] | components['schemas']['CronSchedule']) | null
      envId: string | null
      fields: ('cost' | 'stock' | 'salePrice' | 'labels')[] | null
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
    }
    /**
     * Format: binary
     * @description A file of products, of their fields or of orders, also packed by gzip.
     */
    CatalogFile: string
    /**
     * Format: binary
     * @description A file of products or orders, also packed by gzip.
     */
    CatalogUpload: string
    CatalogSourcePreview: {
      /** @description How many rows were read, of ORDERS how many orders: up to 100. */
      rows: number
      /** @description Of PRODUCTS: the items as a sync would store them. Otherwise empty. */
      items: components['schemas']['CatalogSourcePreviewItem'][]
      /** @description Of a SUPPLEMENT: what it would say about items. Otherwise empty. */
      values: components['schemas']['CatalogSourcePreviewValue'][]
      /** @description Of ORDERS: the orders as an import would store them. Otherwise empty. */
      orders: components['schemas']['CatalogSourcePreviewOrder'][]
      /** @description Rows that a sync would skip, and what it would leave out. */
      errors: components['schemas']['CatalogSourcePreviewError'][]
      /** @description Why the file could not be fetched or read. */
      fault: {
        message: string
        line: number | null
      } | null
    }
    Catalog: {
      /**
       * @description The reporting currency. It is also the currency of items that are sent without one.
       * @example EUR
       */
      currency: string | null
      /**
       * @description What one unit of another currency is worth in the reporting currency: a decimal text by currency.
       * @example {
       *       "USD": "0.92"
       *     }
       */
      rates: {
        [key: string]: string
      }
      orders: {
        /**
         * @description Which orders count. `SDK`: all. `CONFIRMED`: those that an import knows. `AUTO`: in each environment all until its first import of orders, then those that an import knows.
         * @enum {string}
         */
        trust: 'AUTO' | 'SDK' | 'CONFIRMED'
        /**
         * @description By the id of an environment: with `AUTO`, only orders that an import knows count from this time on. It is the time of the earliest order that counts of the first import that has one: an order with a visitor that is not cancelled. Before that, the environment is missing.
         * @example {}
         */
        confirmedFrom: {
          [key: string]: string
        }
      }
      counts: {
        items: number
        products: number
      }
      /** @description Grows by one with each change of items. 0 before the first. */
      revision: number
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
    }
    /** @description A product shows the values of one item: one in stock, of these the cheapest. A filter selects a product if any of its items passes. */
    Product: {
      productId: string
      itemCount: number
      /** @description How many of the items are in stock. */
      availableCount: number
      /**
       * @description That of the item which stands for the product.
       * @enum {string}
       */
      availability: 'IN_STOCK' | 'OUT_OF_STOCK' | 'PREORDER' | 'BACKORDER'
      title: string
      /**
       * Format: uri
       * @description The page of the item in the shop.
       */
      link: string
      imageLink: string | null
      /**
       * @description A decimal text with two to four decimals.
       * @example 19.99
       */
      price: string
      /** @description The price between `saleFrom` and `saleUntil`. */
      salePrice: string | null
      /**
       * @description The ISO 4217 code of all amounts.
       * @example EUR
       */
      currency: string
      /** @description Null: the sale has begun. */
      saleFrom: string | null
      /** @description Null: the sale has no end. */
      saleUntil: string | null
      brand: string | null
      /**
       * @description From the top level down.
       * @example [
       *       "Clothing",
       *       "Shirts"
       *     ]
       */
      categories: string[]
    }
    ProductWithItems: {
      productId: string
      itemCount: number
      /** @description How many of the items are in stock. */
      availableCount: number
      /**
       * @description That of the item which stands for the product.
       * @enum {string}
       */
      availability: 'IN_STOCK' | 'OUT_OF_STOCK' | 'PREORDER' | 'BACKORDER'
      title: string
      /**
       * Format: uri
       * @description The page of the item in the shop.
       */
      link: string
      imageLink: string | null
      /**
       * @description A decimal text with two to four decimals.
       * @example 19.99
       */
      price: string
      /** @description The price between `saleFrom` and `saleUntil`. */
      salePrice: string | null
      /**
       * @description The ISO 4217 code of all amounts.
       * @example EUR
       */
      currency: string
      /** @description Null: the sale has begun. */
      saleFrom: string | null
      /** @description Null: the sale has no end. */
      saleUntil: string | null
      brand: string | null
      /**
       * @description From the top level down.
       * @example [
       *       "Clothing",
       *       "Shirts"
       *     ]
       */
      categories: string[]
      /** @description The first 200 items, by `itemId`. */
      items: components['schemas']['CatalogItem'][]
    }
    CatalogCategory: {
      /** @description The levels with ` > ` between them, as the filter of products takes it. */
      category: string
      /** @description How many items are in exactly this category. */
      items: number
    }
    CatalogFacet: {
      /** @description The most frequent first. */
      values: {
        /** @description As the filter of products takes it. */
        value: string
        /** @description How many products have an item with it. */
        products: number
      }[]
      /** @description Whether there are more values. `find` finds them. */
      hasMore: boolean
      /** @description False if more than 200,000 items pass the other filters: then 200,000 of them are looked at. */
      isWhole: boolean
    }
    CatalogBatch: {
      /** @description The visible revision. It is the one of before if nothing has changed. */
      revision: number
      added: number
      changed: number
      removed: number
      /** @description Items that were the same already, and deletions of items that were not there. */
      unchanged: number
      /** @description Values that were saved otherwise than sent. The first 100. */
      warnings: components['schemas']['CatalogBatchWarning'][]
      warningCount: number
    }
    CatalogRevision: {
      revision: number
      added: number
      changed: number
      removed: number
      /** @description Items that were the same already, and deletions of items that were not there. */
      unchanged: number
      /** @description What the revision shows. */
      counts: {
        items: number
        products: number
      }
      /** @description The job that made the revision. Null for a batch. */
      jobId: string | null
      sourceId: string | null
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      createdBy: components['schemas']['Actor']
    }
    Dataset: {
      id: string
      projectId: string
      key: string
      name: string
      /**
       * @description INTERACTIONS: what visitors did with products, derived from events and orders. NEIGHBOURS: which products go together, uploaded. Cannot change.
       * @enum {string}
       */
      kind: 'INTERACTIONS' | 'NEIGHBOURS'
      /** @description Of INTERACTIONS alone: which events they are. */
      derivation: components['schemas']['DatasetDerivation'] | null
      /** @description When a version is held instead of going live. */
      guards: {
        /** @description The share of the rows of the active version that can be gone. Default: 0.5. */
        maxRowDrop?: number
        /** @description The share of rows whose product the catalog does not have. An empty catalog is not asked. Default: 0.2. */
        maxUnknownShare?: number
      }
      schedule: (components['schemas']['EverySchedule'] | components['schemas']['CronSchedule']) | null
      /** @description The version that models learn from. The ETag does not change with it. */
      activeVersion: components['schemas']['DatasetActiveVersion'] | null
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
    }
    DatasetVersion: {
      id: string
      number: number
      jobId: string | null
      /**
       * @description HELD: a guard has stopped it. It can be activated.
       * @enum {string}
       */
      status: 'READY' | 'HELD'
      isActive: boolean
      rows: number
      /** @description How many different visitors there are; null for NEIGHBOURS. */
      units: number | null
      products: number
      /** @description Of a derived version: since when events count. */
      from: string | null
      /** @description Of a derived version: until when events count. */
      through: string | null
      /** @description Of the rows. Versions with the same rows have the same. */
      sha256: string
      checks: components['schemas']['DatasetVersionCheck'][]
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /** @description When it last went live. */
      activatedAt: string | null
    }
    /**
     * Format: binary
     * @description CSV or JSON lines of pairs of products.
     */
    DatasetFile: string
    DatasetInteraction: {
      /** @description Null: nobody knows who placed the order. */
      unit: string | null
      productId: string
      /** @description The key of the event. */
      action: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      at: string
      weight: number
    }
    DatasetNeighbour: {
      productId: string
      relatedId: string
      score: number
    }
    JobError: {
      line: number | null
      itemId: string | null
      code: string
      message: string
      /** @description Whether this is only a warning: the row was used. */
      isWarning: boolean
    }
    NewAbTestRule: {
      /** @constant */
      type: 'AB_TEST'
      name: string
      description?: string | null
      /** @description Default: `[]`. */
      audienceIds?: string[]
      /** @description A tree of targeting conditions: `{ "all": [...] }`, `{ "any": [...] }`, `{ "not": ... }`, `{ "audience": id }`, `{ "segment": id }` or an attribute with an operator and a value. See docs/targeting.md. */
      conditions?: unknown
      /** @description The attribute with the bucketing unit. Default: `"targetingKey"`. */
      bucketBy?: string
      /** @description Basis points: 0 to 10000. Default: `10000`. */
      trafficAllocation?: number
      /** @description Default: 8 letters and digits that no other rule has. */
      salt?: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      /** @description Default: `true`. */
      enabled?: boolean
      /** @description Place in the order. Default: last. */
      position?: number
      hypothesis?: string | null
      variations: {
        variationKey: string
        /** @description Basis points: 0 to 10000. */
        weight: number
      }[]
      baselineVariationKey: string
      metrics?: components['schemas']['NewAbTestRuleMetrics']
      statistics?: components['schemas']['NewAbTestRuleStatistics']
      /** @description The rule takes a slot of the group: its traffic is a share of the visitors in the slot. */
      exclusionGroupId?: string | null
      /** @description The rule leaves out the visitors of the holdout. */
      holdoutId?: string | null
      /** @description Visitors keep their variation after the weights have changed: in SDKs with a `stickyStore`, and in web experiments by the cookie `svc_kept`. Default: `false`. */
      sticky?: boolean
    }
    NewDeliveryRule: {
      /** @constant */
      type: 'TARGETED_DELIVERY'
      name: string
      description?: string | null
      /** @description Default: `[]`. */
      audienceIds?: string[]
      /** @description A tree of targeting conditions: `{ "all": [...] }`, `{ "any": [...] }`, `{ "not": ... }`, `{ "audience": id }`, `{ "segment": id }` or an attribute with an operator and a value. See docs/targeting.md. */
      conditions?: unknown
      /** @description The attribute with the bucketing unit. Default: `"targetingKey"`. */
      bucketBy?: string
      /** @description Basis points: 0 to 10000. Default: `10000`. */
      trafficAllocation?: number
      /** @description Default: 8 letters and digits that no other rule has. */
      salt?: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      /** @description Default: `true`. */
      enabled?: boolean
      /** @description Place in the order. Default: last. */
      position?: number
      variationKey: string
      /** @description Whether SDKs count the visitors of the rule. An A/B test always counts them. Default: `false`. */
      exposures?: boolean
    }
    DeliveryRule: {
      id: string
      /** @description Unique in the project. The data file identifies the rule by this number, as a string. */
      shortId: number
      /** @description Unique among the rules of the flag in the environment. Never changes. */
      key: string
      name: string
      description: string | null
      audienceIds: string[]
      conditions: components['schemas']['Condition']
      bucketBy: string
      /** @description Basis points: 0 to 10000. */
      trafficAllocation: number
      salt: string
      /** @constant */
      hashVersion: 1
      flagId: string
      envId: string
      position: number
      /**
       * @description DRAFT: never served. RUNNING: served now. PAUSED: served before, but not now. COMPLETED: its experiment has ended.
       * @enum {string}
       */
      status: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED'
      /** @description The rule’s own switch. */
      enabled: boolean
      hasStagedChanges: boolean
      /** @description The experiment that owns the rule. Only the experiment can edit, run and delete it. */
      experimentId: string | null
      /** @description The open schedule of the rule. */
      schedule: components['schemas']['DeliveryRuleSchedule'] | null
      /** @description When visitors first got the rule. */
      firstServedAt: string | null
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
      /** @constant */
      type: 'TARGETED_DELIVERY'
      variationKey: string
      /** @description Whether SDKs count the visitors of the rule. An A/B test always counts them. */
      exposures: boolean
    }
    AbTestRule: {
      id: string
      /** @description Unique in the project. The data file identifies the rule by this number, as a string. */
      shortId: number
      /** @description Unique among the rules of the flag in the environment. Never changes. */
      key: string
      name: string
      description: string | null
      audienceIds: string[]
      conditions: components['schemas']['Condition']
      bucketBy: string
      /** @description Basis points: 0 to 10000. */
      trafficAllocation: number
      salt: string
      /** @constant */
      hashVersion: 1
      flagId: string
      envId: string
      position: number
      /**
       * @description DRAFT: never served. RUNNING: served now. PAUSED: served before, but not now. COMPLETED: its experiment has ended.
       * @enum {string}
       */
      status: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED'
      /** @description The rule’s own switch. */
      enabled: boolean
      hasStagedChanges: boolean
      /** @description The experiment that owns the rule. Only the experiment can edit, run and delete it. */
      experimentId: string | null
      /** @description The open schedule of the rule. */
      schedule: components['schemas']['DeliveryRuleSchedule'] | null
      /** @description When visitors first got the rule. */
      firstServedAt: string | null
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
      /** @constant */
      type: 'AB_TEST'
      hypothesis: string | null
      variations: {
        variationKey: string
        /** @description Basis points: 0 to 10000. */
        weight: number
      }[]
      baselineVariationKey: string
      metrics: components['schemas']['AbTestRuleMetrics']
      statistics: components['schemas']['AbTestRuleStatistics']
      exclusionGroupId: string | null
      holdoutId: string | null
      sticky: boolean
    }
    Rule: components['schemas']['DeliveryRule'] | components['schemas']['AbTestRule']
    DeliveryRuleDefinition: {
      id: string
      /** @description Unique in the project. The data file identifies the rule by this number, as a string. */
      shortId: number
      /** @description Unique among the rules of the flag in the environment. Never changes. */
      key: string
      name: string
      description: string | null
      audienceIds: string[]
      conditions: components['schemas']['Condition']
      bucketBy: string
      /** @description Basis points: 0 to 10000. */
      trafficAllocation: number
      salt: string
      /** @constant */
      hashVersion: 1
      /** @constant */
      type: 'TARGETED_DELIVERY'
      variationKey: string
      /** @description Whether SDKs count the visitors of the rule. An A/B test always counts them. */
      exposures: boolean
    }
    AbTestRuleDefinition: {
      id: string
      /** @description Unique in the project. The data file identifies the rule by this number, as a string. */
      shortId: number
      /** @description Unique among the rules of the flag in the environment. Never changes. */
      key: string
      name: string
      description: string | null
      audienceIds: string[]
      conditions: components['schemas']['Condition']
      bucketBy: string
      /** @description Basis points: 0 to 10000. */
      trafficAllocation: number
      salt: string
      /** @constant */
      hashVersion: 1
      /** @constant */
      type: 'AB_TEST'
      hypothesis: string | null
      variations: {
        variationKey: string
        /** @description Basis points: 0 to 10000. */
        weight: number
      }[]
      baselineVariationKey: string
      metrics: components['schemas']['AbTestRuleMetrics']
      statistics: components['schemas']['AbTestRuleStatistics']
      exclusionGroupId: string | null
      holdoutId: string | null
      sticky: boolean
    }
    RuleDefinition: components['schemas']['DeliveryRuleDefinition'] | components['schemas']['AbTestRuleDefinition']
    CopiedRules: {
      rules: components['schemas']['Rule'][]
      skipped: unknown[]
    }
    ListedSchedule: {
      id: string
      /** @description Null for a web experiment. */
      flagId: string | null
      envId: string
      /** @description Null: the environment’s switch of the flag. */
      ruleId: string | null
      /** @enum {string} */
      action: 'RUN' | 'PAUSE'
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      runAt: string
      timezone: string
      note: string | null
      /** @enum {string} */
      status: 'PENDING' | 'SUSPENDED' | 'DONE' | 'FAILED' | 'CANCELLED'
      failureReason: string | null
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
      /** @description Null for the schedule of a web experiment. */
      flag: components['schemas']['ListedScheduleFlag'] | null
      environment: components['schemas']['ListedScheduleEnvironment']
      /** @description Null: the environment’s switch of the flag. */
      rule: {
        id: string
        name: string
      } | null
      /** @description The experiment that owns the rule. The schedule is set through the experiment. */
      experiment: components['schemas']['ListedScheduleExperiment'] | null
      /** @description Who set the schedule, or whose pause suspended it, at `updatedAt`. Null if unknown. */
      by: components['schemas']['Actor'] | null
    }
    /** @description The context as passed to the SDK: `targetingKey` and attributes. */
    PreviewVisitor: {
      targetingKey: string
    } & {
      [key: string]: unknown
    }
    PublishPreview: {
      /** @description How many visitors were evaluated. */
      visitors: number
      /** @description How many of them would get a different value of at least one flag. */
      changed: number
      /** @description The flags that the publish would change, including those that are the same for all these visitors. */
      flags: components['schemas']['PublishPreviewFlag'][]
    }
    Difference: {
      path: string
      from: unknown
      to: unknown
    }
    RuleSummary: {
      id: string
      name: string
      shortId: number
      /** @enum {string} */
      type: 'TARGETED_DELIVERY' | 'AB_TEST'
    }
    StagedChange: {
      path: string
      from: unknown
      to: unknown
      /** @description The rules that the change names, as drafted; deleted rules as they were. */
      rules: components['schemas']['RuleSummary'][]
      /** @description Who staged the value; null if unknown. */
      by: components['schemas']['Actor'] | null
      at: string | null
      /**
       * @description Where the change comes from, such as a file, as given in `X-Svc-Source`.
       * @example svc apply svc.yaml
       */
      source?: string
    }
    PublishWarning: {
      /** @constant */
      code: 'reassigns_exposed_visitors'
      ruleId: string
      /** @description How many of the visitors in the last snapshot of results get a different variation, computed from the shares. Null: there is no snapshot yet. */
      visitors: number | null
    }
    ChangedExperiment: {
      id: string
      shortId: number
      name: string
      changes: components['schemas']['Difference'][]
    }
    StagedExperiment: {
      id: string
      shortId: number
      name: string
      changes: components['schemas']['StagedChange'][]
    }
    StagedChanges: {
      envId: string
      flags: components['schemas']['StagedChangesFlag'][]
      /** @description Web experiments with their changes, by fields of the experiment. Empty in a project of the type FEATURE_FLAG, whose experiments change rules of flags. */
      experiments: components['schemas']['StagedExperiment'][]
      /** @description Edited audiences; empty for a single flag, whose publish leaves audiences as they are. */
      audiences: components['schemas']['StagedChangesAudience'][]
      warnings: components['schemas']['PublishWarning'][]
    }
    Publication: {
      envId: string
      /** @description False when nothing was staged. */
      changed: boolean
      /** @description The same as `previousRevision` if the publish does not change the data file. */
      revision: number
      previousRevision: number
      etag: string
      bytes: number
      /** @description When this call published. If there was nothing to publish, when the data file was made. */
      publishedAt: string | null
      /** @description Who published with this call; null if it published nothing. */
      publishedBy: components['schemas']['Actor'] | null
      flags: components['schemas']['PublicationFlag'][]
      /** @description Web experiments with their changes, by fields of the experiment. Empty in a project of the type FEATURE_FLAG, whose experiments change rules of flags. */
      experiments: components['schemas']['ChangedExperiment'][]
      /** @description Edited audiences that went live; empty if the request had `flagIds`. */
      audiences: components['schemas']['PublicationAudience'][]
      warnings: components['schemas']['PublishWarning'][]
      /** @description Present only in a dry run with `visitors`. */
      preview?: components['schemas']['PublishPreview']
      /** @description Present only with `?wait`. Null if the database was unavailable. */
      propagation?: components['schemas']['Propagation'] | null
    }
    AllowlistEntry: {
      variationKey: string
      userIds: string[]
    }
    RuleAllowlist: {
      ruleId: string
      entries: components['schemas']['AllowlistEntry'][]
    }
    OverrideLists: {
      environmentAllowlist: components['schemas']['AllowlistEntry'][]
      ruleAllowlists: components['schemas']['RuleAllowlist'][]
    }
    Overrides: {
      environmentAllowlist: components['schemas']['AllowlistEntry'][]
      ruleAllowlists: components['schemas']['RuleAllowlist'][]
      /** @description The lists that are live. */
      live: components['schemas']['OverrideLists']
      /** @description True while the lists differ from the live ones. */
      staged: boolean
    }
    FlagVersion: {
      defaultVariationKey: string
      overrides: components['schemas']['OverrideLists']
      /** @description In evaluation order. */
      rules: components['schemas']['RuleDefinition'][]
    }
    FlagInEnvironment: {
      envId: string
      name: string
      enabled: boolean
      /** @description The live default variation. `staged` contains the draft. */
      defaultVariationId: string
      staged: components['schemas']['Staged']
      ruleCount: number
      runningRuleCount: number
      overrideCount: number
      lastPublishedRevision: number | null
      lastEvaluatedAt: string | null
      /** @description The current revision of the environment’s data file. */
      revision: number
      /** @description The open schedule of the switch. */
      schedule: components['schemas']['Schedule'] | null
      /** @description The version that edits change. */
      draft: components['schemas']['FlagVersion']
      /** @description The version that visitors get. */
      live: components['schemas']['FlagVersion']
      /** @description What the next publish would change, in the form of its dry run, with the authors. */
      changes: components['schemas']['StagedChange'][]
    }
    Switch: {
      flagId: string
      envId: string
      ruleId: string | null
      enabled: boolean
      /** @description Whether a switch or the live version changed. Staged changes alone do not count. */
      changed: boolean
      /** @enum {string} */
      flagStatus: 'DRAFT' | 'PAUSED' | 'RUNNING' | 'ARCHIVED'
      dataFile: components['schemas']['SwitchDataFile']
      /** @description Schedules that the pause suspended. */
      suspendedSchedules: components['schemas']['Schedule'][]
      /** @description Present only with `?wait`. Null if the database was unavailable. */
      propagation?: components['schemas']['Propagation'] | null
    }
    FlagEnvironmentSwitch: {
      flagId: string
      envId: string
      ruleId: string | null
      enabled: boolean
      /** @description Whether a switch or the live version changed. Staged changes alone do not count. */
      changed: boolean
      /** @enum {string} */
      flagStatus: 'DRAFT' | 'PAUSED' | 'RUNNING' | 'ARCHIVED'
      dataFile: components['schemas']['SwitchDataFile']
      /** @description Schedules that the pause suspended. */
      suspendedSchedules: components['schemas']['Schedule'][]
      /** @description Present only with `?wait`. Null if the database was unavailable. */
      propagation?: components['schemas']['Propagation'] | null
      /** @description The live default variation. `staged` contains the draft. */
      defaultVariationId: string
      staged: components['schemas']['Staged']
    }
    HealthCheck: {
      /** @enum {string} */
      check:
        | 'SRM'
        | 'CROSSOVER'
        | 'TRAFFIC_DROP'
        | 'NO_EXPOSURES'
        | 'TRAFFIC_CAP'
        | 'VARIATION_STARVED'
        | 'BALANCE'
        | 'COMPUTATION'
        | 'ADDRESS_SHARE'
      /** @enum {string} */
      status: 'NOT_ENOUGH_DATA' | 'OK' | 'WARNING' | 'FAILED'
      observed?: number | null
      expected?: number | null
      threshold?: number | null
      rate?: number | null
      chi2?: number | null
      df?: number | null
      pValue?: number | null
      /** @description The Bayes factor of the sequential check, which fails above 1000. */
      bayesFactor?: number | null
      /** @description The variations without visitors, or under `SRM` those that got visitors with a weight of 0. */
      variationIds?: string[]
      /** @description Under `NO_EXPOSURES`, when the last visitor was seen. */
      lastAt?: string | null
      /** @description Under `ADDRESS_SHARE`, the day (UTC) with the largest share, such as `2026-11-20`. */
      day?: string
      /** @description The published revision of the flag since which the check fails. */
      since?: {
        revision: number
        /**
         * Format: date-time
         * @description ISO 8601 in UTC with milliseconds.
         */
        publishedAt: string
      }
    }
    Comparison: {
      /** @enum {string} */
      status:
        | 'invalid_input'
        | 'no_data'
        | 'insufficient_data'
        | 'zero_variance'
        | 'zero_baseline'
        | 'lift_unbounded'
        | 'ok'
      baselineVariationId: string
      difference: components['schemas']['ComparisonDifference']
      lift: components['schemas']['ComparisonLift']
      pValue: number | null
      pValueAdjusted: number | null
      /** @description Whether the adjusted p-value is significant; under FIXED_HORIZON only at the end. */
      significant: boolean
      criticalValue: number | null
      firstSignificantAt: string | null
      cuped: {
        theta: number
        varianceReduction: number | null
      } | null
      /** @description For a `PROPORTION` with too few conversions for a verdict: Newcombe’s interval of the difference, and Fisher’s exact p-value if a cell has fewer than 5 visitors. They are valid for a single look. */
      smallCounts?: components['schemas']['ComparisonSmallCounts'] | null
      /** @description Shown beside the test, without a verdict. */
      bayesian: components['schemas']['ComparisonBayesian']
      guardrail: components['schemas']['ComparisonGuardrail'] | null
    }
    MetricResult: {
      metricId: string
      key: string
      name: string
      /** @enum {string} */
      type: 'PROPORTION' | 'MEAN' | 'RATIO'
      /** @enum {string} */
      role: 'PRIMARY' | 'SECONDARY' | 'GUARDRAIL'
      /** @enum {string} */
      direction: 'INCREASE' | 'DECREASE'
      unit: string | null
      /** @description The cap: sums per visitor that are larger in size count as this size, with their sign. */
      winsorizedAt: number | null
      winsorizedUnits: number
      /** @description Under `FIXED_HORIZON`, when the figures became final. The answer keeps the figures of this moment. Otherwise null. */
      finalAt?: string | null
      /** @description Visitors whose conversion windows for this metric are still open. They count later. Visitors from before a metric that came too late to measure them are not among them. */
      waitingUnits?: number
      variations: components['schemas']['MetricResultVariation'][]
    }
    ResultsSummary: {
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      asOf: string
      runtimeDays: number
      /** @description The visitors that results count. */
      units: number
      health: {
        /** @enum {string} */
        status: 'NOT_MEASURED' | 'NOT_ENOUGH_DATA' | 'OK' | 'WARNING' | 'FAILED'
        /** @description The checks that failed. */
        failed: (
          | 'SRM'
          | 'CROSSOVER'
          | 'TRAFFIC_DROP'
          | 'NO_EXPOSURES'
          | 'TRAFFIC_CAP'
          | 'VARIATION_STARVED'
          | 'BALANCE'
          | 'COMPUTATION'
          | 'ADDRESS_SHARE'
        )[]
      }
      progress: components['schemas']['ResultsProgress'] | null
      recommendation: components['schemas']['ResultsRecommendation'] | null
      /** @description The first primary metric, with the lift of each variation against the baseline. Null without a primary metric. */
      primaryMetric: components['schemas']['ResultsSummaryPrimaryMetric'] | null
    }
    Dimension: {
      name: string
      values: components['schemas']['DimensionValue'][]
    }
    NewExperimentVariation: {
      key: string
      /** @description Only for a web experiment. Default: made from the key. */
      name?: string
      /** @description Basis points. All weights sum to 10000. */
      weight: number
      /** @description Only for a web experiment: where its visitors go instead of seeing changes. Null removes it. If omitted, it stays. */
      redirect?: components['schemas']['WebRedirectInput'] | null
    }
    NewExperiment: {
      /** @description Required in a project of the type FEATURE_FLAG. A web experiment has no flag. */
      flagId?: string
      /** @description Default: Production. */
      envId?: string
      /** @description An A/B rule of the flag that the experiment adopts. The experiment then takes its definition from the rule. */
      ruleId?: string
      name: string
      hypothesis?: string | null
      description?: string | null
      /** @description Default: `[]`. */
      tags?: string[]
      /** @description Default: the checks of the adopted rule, or none. */
      autoPause?: components['schemas']['NewExperimentAutoPause']
      audienceIds?: string[]
      /** @description A tree of targeting conditions: `{ "all": [...] }`, `{ "any": [...] }`, `{ "not": ... }`, `{ "audience": id }`, `{ "segment": id }` or an attribute with an operator and a value. See docs/targeting.md. */
      conditions?: unknown
      /** @description The attribute with the bucketing unit. */
      bucketBy?: string
      /** @description Basis points: 0 to 10000. */
      trafficAllocation?: number
      salt?: string
      /** @description FEATURE: variations of the flag, by key. WEB: the variations of the experiment; until the launch, they can be added and removed. */
      variations?: components['schemas']['NewExperimentVariation'][]
      baselineVariationKey?: string
      metrics?: components['schemas']['NewExperimentMetrics']
      statistics?: components['schemas']['NewExperimentStatistics']
      /** @description The rule takes a slot of the group: its traffic is a share of the visitors in the slot. */
      exclusionGroupId?: string | null
      /** @description The rule leaves out the visitors of the holdout. */
      holdoutId?: string | null
      /** @description Visitors keep their variation after the weights have changed: in SDKs with a `stickyStore`, and in web experiments by the cookie `svc_kept`. */
      sticky?: boolean
      /** @description Visitors who get a variation without being counted. */
      allowlist?: {
        variationKey: string
        userIds: string[]
      }[]
      /** @description Where visitors take part: on any of these pages. Only for a web experiment. Default: none. */
      pages?: components['schemas']['WebPage'][]
      /**
       * @description When a visitor is counted, in every variation alike. PAGE: when a page matches. SEEN: when `activationSelector` is seen. CALL: when the page calls `svc.activate`. Only for a web experiment. Default: PAGE.
       * @enum {string}
       */
      activation?: 'PAGE' | 'SEEN' | 'CALL'
      /** @description Required when `activation` is SEEN, otherwise null. Default: null. */
      activationSelector?: string | null
      /**
       * @description AUTO: changes wait for a framework that hydrates the page, if there is one. EARLY: they never wait. HYDRATED: they always wait. Only for a web experiment. Default: AUTO.
       * @enum {string}
       */
      applyAt?: 'AUTO' | 'EARLY' | 'HYDRATED'
    }
    ExperimentPhase: {
      /** @description Counted from 1. */
      phase: number
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      startedAt: string
      /** @description When the next phase began; null for the last phase. */
      endedAt: string | null
      /** @description The published revision that brought this split. */
      revision: number
      /**
       * @description LAUNCHED: visitors got the test for the first time. SPLIT_CHANGED: the weights changed. BUCKETING_CHANGED: `bucketBy` or `salt` changed. RESTARTED: a publish had `newPhase`.
       * @enum {string}
       */
      reason: 'LAUNCHED' | 'SPLIT_CHANGED' | 'BUCKETING_CHANGED' | 'RESTARTED'
      variations: {
        variationId: string
        weight: number
      }[]
    }
    /** @description The rule whose visitors were measured. */
    RecentSource: {
      ruleId: string
      /** @description Null for a web experiment. */
      flagId: string | null
      flagKey: string | null
      /** @description The web experiment; null for a rule of a flag. */
      experimentId: string | null
    }
    RecentMetricFigures: {
      /** @description A share as a fraction, a mean, or a ratio. */
      baseline: number
      /** @description The standard deviation per visitor. Null for a PROPORTION, whose deviation follows from the baseline. */
      stddev: number | null
      /** @description The number of visitors behind the figures. */
      units: number
      source: components['schemas']['RecentSource']
    }
    RecentVisitors: {
      /** @description How many visitors were new in these days. */
      units: number
      /** @description The number of days since the first of these visitors. */
      days: number
      perDay: number
      source: components['schemas']['RecentSource']
    }
    RecentMetric: {
      key: string
      /** @enum {string} */
      type: 'PROPORTION' | 'MEAN' | 'RATIO'
      /** @description Null if no test of the environment has measured the metric in these days. */
      figures: components['schemas']['RecentMetricFigures'] | null
    }
    RecentFigures: {
      /**
       * Format: date
       * @description The first day (UTC).
       */
      from: string
      /**
       * Format: date
       * @description The day after the last one: today.
       */
      until: string
      /** @description Null if no rule of the environment has counted visitors. */
      visitors: components['schemas']['RecentVisitors'] | null
      /** @description The metrics of the experiment as drafted, primary ones first. */
      metrics: components['schemas']['RecentMetric'][]
    }
    PageOfExperiment: {
      key: string
      name: string
      /** @description Where the page is opened for editing. */
      url: string | null
      conditions: components['schemas']['Condition']
    }
    ExperimentVariation: {
      id: string
      key: string
      name: string
      /** @description Basis points. All weights sum to 10000. */
      weight: number
      /** @description How many changes it has. Only of a web experiment. */
      changes?: number
      /** @description Only of a web experiment. */
      hasCss?: boolean
      /** @description Only of a web experiment. */
      hasCode?: boolean
      /** @description Only of a web experiment. */
      redirect?: components['schemas']['WebRedirect'] | null
    }
    ExperimentStatistics: {
      /** @enum {string} */
      test: 'SEQUENTIAL' | 'FIXED_HORIZON'
      alpha: number
      /** @enum {string} */
      correction: 'HOLM' | 'BENJAMINI_HOCHBERG' | 'NONE'
      cuped: boolean
      conversionWindowHours: number | null
      /** @enum {string} */
      inProgressConversions: 'EXCLUDE' | 'INCLUDE'
      plannedUnitsPerVariation: number | null
      maxUnits: number | null
      minRuntimeDays: number
      minUnits: number
      minConversions: number
    }
    Experiment: {
      id: string
      /** @description Unique in the project. Addresses accept it instead of the id. */
      shortId: number
      projectId: string
      envId: string
      /**
       * @description FEATURE: tests a flag. WEB: tests web pages.
       * @enum {string}
       */
      type: 'FEATURE' | 'WEB'
      /** @description Null for a WEB experiment. */
      flagId: string | null
      /** @description The A/B rule that the experiment owns. */
      ruleId: string
      name: string
      hypothesis: string | null
      description: string | null
      tags: string[]
      /**
       * @description DRAFT: never launched. RUNNING: visitors get it now. PAUSED: visitors got it before, but not now. COMPLETED: ended for good. ARCHIVED: retired. `unarchive` restores the status before.
       * @enum {string}
       */
      status: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED' | 'ARCHIVED'
      /** @description Whether a publish would change what is tested. */
      hasStagedChanges: boolean
      variations: components['schemas']['ExperimentVariation'][]
      baselineVariationKey: string
      audienceIds: string[]
      conditions: components['schemas']['Condition']
      /** @description Basis points: 0 to 10000. */
      trafficAllocation: number
      bucketBy: string
      salt: string
      metrics: components['schemas']['ExperimentMetrics']
      statistics: components['schemas']['ExperimentStatistics']
      exclusionGroupId: string | null
      holdoutId: string | null
      sticky: boolean
      allowlist: components['schemas']['AllowlistEntry'][]
      /** @description Null for a FEATURE experiment. */
      pages: components['schemas']['PageOfExperiment'][] | null
      /** @description Null for a FEATURE experiment. */
      activation: ('PAGE' | 'SEEN' | 'CALL') | null
      activationSelector: string | null
      /** @description Null for a FEATURE experiment. */
      applyAt: ('AUTO' | 'EARLY' | 'HYDRATED') | null
      autoPause: components['schemas']['ExperimentAutoPause']
      winner: components['schemas']['Winner'] | null
      /** @description The open schedule. */
      schedule: components['schemas']['DeliveryRuleSchedule'] | null
      /** @description A summary of the last snapshot. Null before the first snapshot, and without the scope `results:read`. `GET …/results` has the figures. */
      results: components['schemas']['ResultsSummary'] | null
      launchedAt: string | null
      completedAt: string | null
      archivedAt: string | null
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
    }
    Session: {
      id: string
      user: components['schemas']['SessionUser']
      organizations: components['schemas']['SessionOrganization'][]
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      authenticatedAt: string
      /**
       * Format: date-time
       * @description The latest time at which the session ends. An unused session ends earlier.
       */
      expiresAt: string
    }
    Standing: {
      session: components['schemas']['Session'] | null
      /** @enum {string} */
      stage: 'SIGNED_OUT' | 'SECOND_FACTOR' | 'SIGNED_IN'
      /** @description Whether the owner must still be created, with the link that the service shows at its start. */
      setup: boolean
      providers: {
        id: string
        name: string
      }[]
      /** @description Whether the service sends mail. */
      mail: boolean
    }
    ListedSession: {
      id: string
      current: boolean
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      lastSeenAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      expiresAt: string
      ip: string | null
      userAgent: string | null
    }
    CodeError: {
      id: string
      variationKey: string
      /** @description The beginning of the SHA-256 of the code. A new code has new errors. */
      codeVersion: string
      message: string
      /** @description Within the code, from 1; null if it is not known. */
      line: number | null
      /** @description This line of the code. */
      excerpt: string | null
      /** @description How often it was thrown. A page view tells at most 5 errors. */
      count: number
      /** @description How many visitors have met it, at most 5000. */
      visitors: number
      /** @description Of the visitors of the variation in the last snapshot, 0 to 1. Null before the first snapshot, and without the scope `results:read`. */
      share: number | null
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      firstSeenAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      lastSeenAt: string
    }
    WebChange:
      | components['schemas']['WebTextChange']
      | components['schemas']['WebHtmlChange']
      | components['schemas']['WebAttributeChange']
      | components['schemas']['WebImageChange']
      | components['schemas']['WebClassChange']
      | components['schemas']['WebStyleChange']
      | components['schemas']['WebHideChange']
      | components['schemas']['WebInsertChange']
      | components['schemas']['WebMoveChange']
    VariationChanges: {
      changes: components['schemas']['WebChange'][]
      css: string | null
    }
    SavedVariationChanges: {
      changes: components['schemas']['WebChange'][]
      css: string | null
      /** @description What the call changes in the draft. */
      differences: components['schemas']['Difference'][]
      /** @description Problems to check. Empty if there are none. `OVERWRITTEN`: a later change sets the same on the same element. `SELECTOR_SHIFTS`: the change moves or inserts something, so that its own selector, which counts positions, finds a different element. */
      warnings: {
        /** @enum {string} */
        code: 'OVERWRITTEN' | 'SELECTOR_SHIFTS'
        message: string
      }[]
    }
    VariationCode: {
      js: string | null
    }
    SavedVariationCode: {
      js: string | null
      /** @description What the call changes in the draft. */
      differences: components['schemas']['Difference'][]
    }
    VariationCodeBody: {
      /** @description The body of a function in JavaScript (ES2022), which gets `svc`. It never runs on the service. Null removes it. */
      js: string | null
      /** @description Checks the code and saves nothing. Default: `false`. */
      dryRun?: boolean
    }
    HandOffPage: {
      key: string
      name: string
      url: string | null
    }
    HandOffChange: {
      id: string
      /** @description The key of a page; null for all pages of the experiment. */
      page: string | null
      type: string
      selector: string
      /** @description What the element showed when it was edited; null if that is unknown. */
      before: string | null
      /** @description Null for a change that shows nothing new, such as MOVE. */
      after: string | null
      sentence: string
    }
    HandOff: {
      variationKey: string
      /**
       * @description FINAL: what ran, once the experiment is completed. LIVE: what was published last. DRAFT: what was never launched.
       * @enum {string}
       */
      source: 'FINAL' | 'LIVE' | 'DRAFT'
      pages: components['schemas']['HandOffPage'][]
      changes: components['schemas']['HandOffChange'][]
      /** @description The HTML of all changes, in their order. */
      html: string | null
      /** @description STYLE and HIDE as rules without `!important`, then the CSS of the variation. */
      css: string | null
      js: string | null
      redirect: components['schemas']['WebRedirect'] | null
      /** @description One sentence for each step. */
      checklist: string[]
      /** @description All of it as a document. */
      markdown: string
    }
    EditorSessionBody: {
      /** @description The variation to edit. */
      variationKey: string
      /** @description The page on which the editor opens. Its host must be one of the project’s hosts. */
      url: string
    }
    OpenedEditorSession: {
      id: string
      /** @description The address to open, with a code that works once and for 60 seconds. Shown once. Null in a repeated answer. */
      url: string | null
      /**
       * Format: date-time
       * @description When the code expires.
       */
      expiresAt: string
    }
    EditorSession: {
      id: string
      variationKey: string
      /** @description Only pages of this origin can show the editor. */
      origin: string
      user: {
        id: string
        name: string
      }
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      lastUsedAt: string
      /**
       * Format: date-time
       * @description When the session ends at the latest.
       */
      expiresAt: string
    }
    EditorSessionCode: {
      /** @description Opens the session on the next page, once. Shown once. Null in a repeated answer. */
      code: string | null
      /**
       * Format: date-time
       * @description When the code expires.
       */
      expiresAt: string
    }
    EditorRedemptionBody: {
      code: string
    }
    EditorRedemption: {
      /** @description Opens this experiment to the editor. It is kept in memory alone. */
      token: string
      projectId: string
      experimentId: string
      variationKey: string
      /**
       * Format: date-time
       * @description When the session ends at the latest.
       */
      expiresAt: string
    }
    ExperimentMove: {
      experimentId: string
      /** @enum {string} */
      status: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED' | 'ARCHIVED'
      /** @enum {string} */
      previousStatus: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED' | 'ARCHIVED'
      changed: boolean
      dataFile: components['schemas']['SwitchDataFile']
      /** @description What pages load after the call; null for a FEATURE experiment. */
      script: components['schemas']['PublishedScript'] | null
      /** @description Schedules that the pause suspended. */
      suspendedSchedules: components['schemas']['Schedule'][]
      /** @description Problems to check. The call has done its work. */
      warnings: {
        /** @enum {string} */
        code:
          | 'FLAG_PAUSED'
          | 'NO_PRIMARY_METRIC'
          | 'NO_VISITORS'
          | 'VISITORS_REASSIGNED'
          | 'AUDIENCE_CHANGED'
          | 'STATISTICS_CHANGED'
          | 'EXCLUSION_GROUP_GONE'
          | 'NO_PAGES'
          | 'NO_CHANGES'
          | 'HOST_NOT_ALLOWED'
          | 'SCRIPT_NOT_SEEN'
          | 'SELECTOR_OVERLAP'
          | 'REDIRECT_TARGET_IS_A_PAGE'
          | 'REDIRECT_LEAVES_SITE'
          | 'REDIRECT_LEAVES_HTTPS'
          | 'ACTIVATION_CHANGED'
          | 'ROLL_OUT_ENDS'
        message: string
      }[]
    }
    StartExperimentBody: {
      /** @description Only shows the problems to check, in `warnings`. With `FLAG_PAUSED`, `NO_PAGES`, `NO_CHANGES` or `HOST_NOT_ALLOWED` among them, the call itself would be refused. Default: `false`. */
      dryRun?: boolean
    }
    ExperimentPublication: {
      experimentId: string
      /** @enum {string} */
      status: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED' | 'ARCHIVED'
      /** @enum {string} */
      previousStatus: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED' | 'ARCHIVED'
      changed: boolean
      dataFile: components['schemas']['SwitchDataFile']
      /** @description What pages load after the call; null for a FEATURE experiment. */
      script: components['schemas']['PublishedScript'] | null
      /** @description Schedules that the pause suspended. */
      suspendedSchedules: components['schemas']['Schedule'][]
      /** @description Problems to check. The call has done its work. */
      warnings: {
        /** @enum {string} */
        code:
          | 'FLAG_PAUSED'
          | 'NO_PRIMARY_METRIC'
          | 'NO_VISITORS'
          | 'VISITORS_REASSIGNED'
          | 'AUDIENCE_CHANGED'
          | 'STATISTICS_CHANGED'
          | 'EXCLUSION_GROUP_GONE'
          | 'NO_PAGES'
          | 'NO_CHANGES'
          | 'HOST_NOT_ALLOWED'
          | 'SCRIPT_NOT_SEEN'
          | 'SELECTOR_OVERLAP'
          | 'REDIRECT_TARGET_IS_A_PAGE'
          | 'REDIRECT_LEAVES_SITE'
          | 'REDIRECT_LEAVES_HTTPS'
          | 'ACTIVATION_CHANGED'
          | 'ROLL_OUT_ENDS'
        message: string
      }[]
      /** @description All staged changes of the flag that were published. */
      changes: components['schemas']['Difference'][]
    }
    WinnerDeclaration: {
      experimentId: string
      /** @enum {string} */
      status: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED' | 'ARCHIVED'
      /** @enum {string} */
      previousStatus: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED' | 'ARCHIVED'
      changed: boolean
      dataFile: components['schemas']['SwitchDataFile']
      /** @description What pages load after the call; null for a FEATURE experiment. */
      script: components['schemas']['PublishedScript'] | null
      /** @description Schedules that the pause suspended. */
      suspendedSchedules: components['schemas']['Schedule'][]
      /** @description Problems to check. The call has done its work. */
      warnings: {
        /** @enum {string} */
        code:
          | 'FLAG_PAUSED'
          | 'NO_PRIMARY_METRIC'
          | 'NO_VISITORS'
          | 'VISITORS_REASSIGNED'
          | 'AUDIENCE_CHANGED'
          | 'STATISTICS_CHANGED'
          | 'EXCLUSION_GROUP_GONE'
          | 'NO_PAGES'
          | 'NO_CHANGES'
          | 'HOST_NOT_ALLOWED'
          | 'SCRIPT_NOT_SEEN'
          | 'SELECTOR_OVERLAP'
          | 'REDIRECT_TARGET_IS_A_PAGE'
          | 'REDIRECT_LEAVES_SITE'
          | 'REDIRECT_LEAVES_HTTPS'
          | 'ACTIVATION_CHANGED'
          | 'ROLL_OUT_ENDS'
        message: string
      }[]
      /** @description The winner; with `dryRun`, as it would be declared. */
      winner: components['schemas']['Winner']
      /** @description What the roll-out changes in the flag for visitors. */
      changes: components['schemas']['Difference'][]
    }
    PresenceBody: {
      /** @description The variation that you edit. */
      variationKey: string
      /**
       * @description In the dashboard’s form, or in the visual editor.
       * @enum {string}
       */
      place: 'FORM' | 'EDITOR'
      /** @description You edit no longer. Default: `false`. */
      leaving?: boolean
    }
    PresentPerson: {
      userId: string
      name: string
      variationKey: string
      /**
       * @description In the dashboard’s form, or in the visual editor.
       * @enum {string}
       */
      place: 'FORM' | 'EDITOR'
      /**
       * Format: date-time
       * @description Since when this person edits the variation there.
       */
      since: string
    }
    Presence: {
      people: components['schemas']['PresentPerson'][]
    }
    PreviewBody: {
      /** @description The variation that the preview shows first. */
      variationKey: string
      /**
       * @description DRAFT: as edited, and as it will be edited until the preview ends. LIVE: as published. Default: `"DRAFT"`.
       * @enum {string}
       */
      version?: 'DRAFT' | 'LIVE'
      /** @description The page of the experiment on which the preview opens, by its `url`. */
      pageKey: string
      /** @description Default: `72`. */
      expiresInHours?: number
    }
    Preview: {
      id: string
      /** @enum {string} */
      status: 'OPEN' | 'EXPIRED' | 'REVOKED'
      variationKey: string
      /** @enum {string} */
      version: 'DRAFT' | 'LIVE'
      pageKey: string
      /** @description The address of the page, without the secret. */
      pageUrl: string
      createdBy: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /** @description To the minute. */
      lastUsedAt: string | null
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      expiresAt: string
      revokedAt: string | null
    }
    CreatedPreview: {
      id: string
      /** @enum {string} */
      status: 'OPEN' | 'EXPIRED' | 'REVOKED'
      variationKey: string
      /** @enum {string} */
      version: 'DRAFT' | 'LIVE'
      pageKey: string
      /** @description The address of the page, without the secret. */
      pageUrl: string
      createdBy: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /** @description To the minute. */
      lastUsedAt: string | null
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      expiresAt: string
      revokedAt: string | null
      /** @description The address to open. Who has it sees the preview: its secret is after `#`, which browsers send to no server. Shown once. Null in a repeated answer. */
      url: string | null
    }
    PreviewTicketBody: {
      sdkKey: string
      secret: string
      /** @description Default: the variation of the preview. */
      variationKey?: string
    }
    PreviewTicket: {
      /** @description The address of the module, for 60 seconds. */
      module: string
      /**
       * Format: date-time
       * @description When this address ends.
       */
      expiresAt: string
    }
    RevisionChange: {
      path: string
      from: unknown
      to: unknown
      rules: components['schemas']['RuleSummary'][]
    }
    Revision: {
      revision: number
      /** @description 0 for the change that made this revision of the data file. 1 and more for the later publishes that did not change the file, for example of a paused flag, in their order. */
      step: number
      /** @description Null for the first file of the environment. */
      publishedAt: string | null
      etag: string
      bytes: number
      /** @description Null for the first file of the environment and for revisions without a known author. */
      publishedBy: components['schemas']['Actor'] | null
      /** @description Why the revision was made, as in the event `flag.published`. Null for the first file of the environment, for a new format of the file, and for revisions older than this record. */
      reason:
        | ('CREATED' | 'EDITED' | 'ARCHIVED' | 'UNARCHIVED' | 'DELETED' | 'SWITCHED' | 'PUBLISHED' | 'SEGMENT_CHANGED')
        | null
      /** @description For the reason `SWITCHED`: whether the whole flag, one of its rules or a web experiment was run or paused. Null if the data file does not show it. */
      switched: {
        /** @enum {string} */
        what: 'FLAG' | 'RULE' | 'EXPERIMENT'
        /** @enum {string} */
        to: 'RUN' | 'PAUSE'
      } | null
      /** @description The comment of the publish. */
      comment: string | null
      /** @description Number of flags that changed in the data file and, for a publish, of those that changed without an effect on it. */
      flagCount: number
      /** @description The first 100 of these flags, with their keys at that time. Flags that visitors saw change come first, each group sorted by key. */
      flags: components['schemas']['RevisionFlag'][]
      /** @description In a project of the type WEB: the first 100 experiments that changed. Otherwise empty. */
      experiments: components['schemas']['RevisionExperiment'][]
      /** @description Audiences that changed in the data file or by the publish. */
      audiences: components['schemas']['RevisionAudience'][]
      /** @description Segments whose members changed in the data file. */
      segments: components['schemas']['RevisionAudience'][]
    }
    RevisionChanges: {
      revision: number
      /** @description 0 for the change that made this revision of the data file. 1 and more for the later publishes that did not change the file, for example of a paused flag, in their order. */
      step: number
      /** @description Null for the first file of the environment. */
      publishedAt: string | null
      etag: string
      bytes: number
      /** @description Null for the first file of the environment and for revisions without a known author. */
      publishedBy: components['schemas']['Actor'] | null
      /** @description Why the revision was made, as in the event `flag.published`. Null for the first file of the environment, for a new format of the file, and for revisions older than this record. */
      reason:
        | ('CREATED' | 'EDITED' | 'ARCHIVED' | 'UNARCHIVED' | 'DELETED' | 'SWITCHED' | 'PUBLISHED' | 'SEGMENT_CHANGED')
        | null
      /** @description For the reason `SWITCHED`: whether the whole flag, one of its rules or a web experiment was run or paused. Null if the data file does not show it. */
      switched: {
        /** @enum {string} */
        what: 'FLAG' | 'RULE' | 'EXPERIMENT'
        /** @enum {string} */
        to: 'RUN' | 'PAUSE'
      } | null
      /** @description The comment of the publish. */
      comment: string | null
      /** @description Number of flags that changed in the data file and, for a publish, of those that changed without an effect on it. */
      flagCount: number
      /** @description Up to 500 flags, with their keys at that time. */
      flags: components['schemas']['RevisionChangesFlag'][]
      /** @description Web experiments. The paths of changes are fields of the experiment. */
      experiments: components['schemas']['RevisionChangesExperiment'][]
      audiences: components['schemas']['RevisionChangesAudience'][]
      /** @description Segments whose members changed in the data file. */
      segments: components['schemas']['RevisionAudience'][]
      /** @description The revision of the row before this one; null if none is stored. */
      previousRevision: number | null
      /** @description The step of the row before this one. */
      previousStep: number | null
    }
    MovedSwitch: {
      flagId: string
      key: string
      /** @description Whether the flag runs now. */
      from: boolean
      /** @description Whether it ran at the end of the revision. */
      to: boolean
    }
    RestoredRevision: {
      envId: string
      /** @description The revision whose state is staged now. */
      revision: number
      /** @description The step of the revision, if the request named one; null for the end of the revision. */
      step: number | null
      /** @description False if the drafts were already in this state, and for a dry run. */
      changed: boolean
      flags: components['schemas']['PublicationFlag'][]
      /** @description Web experiments with their changes, by fields of the experiment. Empty in a project of the type FEATURE_FLAG, whose experiments change rules of flags. */
      experiments: components['schemas']['ChangedExperiment'][]
      /** @description Flags that ran then and are paused now, or the other way round; at most 100. A restore leaves switches as they are: run or pause these flags yourself. */
      switches: components['schemas']['MovedSwitch'][]
    }
    Audience: {
      id: string
      /** @description Unique in the project. The data file identifies the audience by this number, as a string. */
      shortId: number
      projectId: string
      key: string
      name: string
      description: string | null
      conditions: components['schemas']['Condition']
      /** @description The first 100 drafted or live rules that use the audience. In a project of the type WEB, the experiments. */
      usedBy: (components['schemas']['AudienceUsedBy'] | components['schemas']['AudienceUsedBy2'])[]
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
    }
    FailedCondition: {
      attribute: string
      operator: string
      value?: unknown
      caseSensitive?: boolean
      /** @description The value in the context; null if it is missing. */
      actual: unknown
      /** @description True if the condition is inside a `not`: the condition holds, but must not. */
      negated: boolean
      /** @description The audience that contains the condition; absent if it is in the rule itself. */
      audience?: string
    }
    FailedSegment: {
      /** @description Whether the visitor is in this segment. */
      segment: string
      /** @description True if the condition is inside a `not`: the condition holds, but must not. */
      negated: boolean
      /** @description The audience that contains the condition; absent if it is in the rule itself. */
      audience?: string
    }
    ExplainedRule: {
      ruleId: string
      name: string
      /** @enum {string} */
      type: 'TARGETED_DELIVERY' | 'AB_TEST'
      /**
       * @description The outcome of the rule by itself. Rules after the one that decided are evaluated too.
       * @enum {string}
       */
      outcome:
        | 'OVERRIDE'
        | 'MATCHED'
        | 'CONDITIONS_FAILED'
        | 'UNIT_MISSING'
        | 'HOLDOUT'
        | 'OUTSIDE_GROUP'
        | 'OUTSIDE_TRAFFIC'
        | 'UNKNOWN_HASH'
        | 'ERROR'
        | 'PAUSED'
      /** @description The variation that the rule gives; null if it gives none. */
      variationKey: string | null
      /** @description The conditions that kept the rule from matching: up to 20 of each rule and 5000 in all, long texts and lists cut with `…`. */
      failed: (components['schemas']['FailedCondition'] | components['schemas']['FailedSegment'])[]
      /** @description How many more conditions failed. */
      moreFailed: number
      /** @description The bucketing unit, as read from the context. */
      unit: string | null
      /** @description In basis points. The visitor enters if `bucket` is below `allocation`. */
      traffic: {
        bucket: number
        allocation: number
      } | null
      /** @description The bucket in the split, 0 to 9999. */
      split: {
        bucket: number
      } | null
    }
    ExplainedFlag: {
      flagId: string | null
      /** @description The web experiment, whose `flagId` is null; null for a flag, and once the experiment is deleted. */
      experimentId: string | null
      /** @description For a web experiment, `x` and its short id, such as `x12`. */
      flagKey: string
      /** @description False if the flag is paused: every visitor gets the default variation. */
      enabled: boolean
      /** @description Has the type of the flag. Null if there is an error; a JSON flag can also have the value null. */
      value: unknown
      variationKey: string | null
      /** @description The rule that decided; null if no rule did. */
      ruleId: string | null
      /** @enum {string} */
      reason: 'DISABLED' | 'OVERRIDE' | 'TARGETING_MATCH' | 'SPLIT' | 'DEFAULT' | 'UNIT_MISSING' | 'HOLDOUT' | 'ERROR'
      errorCode: ('FLAG_NOT_FOUND' | 'PARSE_ERROR') | null
      rules: components['schemas']['ExplainedRule'][]
    }
    AudienceEvaluation: {
      /** @description Whether the visitor is in the audience. */
      matches: boolean
      /** @description Up to 20 conditions that keep the visitor out, long texts and lists cut with `…`. */
      failed: (components['schemas']['FailedCondition'] | components['schemas']['FailedSegment'])[]
      /** @description How many more conditions failed. */
      moreFailed: number
    }
    ExplainedEvaluation: {
      envId: string
      /** @description The evaluated revision; null for the drafts. */
      revision: number | null
      /** @description In the order of `flagKeys`, or sorted by key. */
      flags: components['schemas']['ExplainedFlag'][]
    }
    ExperimentTrialBody: {
      /** @description The address of the page, with query and hash. */
      url: string
      /**
       * @description What the site and the script know of the visitor: `targetingKey` and attributes. They come before those of the address, as on a page. Default: `{}`.
       * @example {
       *       "targetingKey": "u-17",
       *       "country": "NL"
       *     }
       */
      context?: {
        [key: string]: unknown
      }
      /**
       * @description DRAFT: as edited, as if the experiment ran. LIVE: what visitors get now. Default: `"DRAFT"`.
       * @enum {string}
       */
      version?: 'DRAFT' | 'LIVE'
    }
    ExperimentTrial: {
      /** @description The keys of the pages that hold. With none, the visitor takes no part on this address, whatever the evaluation says. */
      pages: string[]
      /** @description Which variation the visitor gets on these pages, and why. */
      evaluation: components['schemas']['ExplainedFlag']
    }
    Metric: {
      id: string
      projectId: string
      /** @description The name of the metric in rules and addresses. */
      key: string
      name: string
      /**
       * @description `PROPORTION`: the share of visitors with the event. `MEAN`: the sum of its values, or the number of events, per visitor. `RATIO`: the sum divided by the sum of `denominator`.
       * @enum {string}
       */
      type: 'PROPORTION' | 'MEAN' | 'RATIO'
      eventKey: string
      /** @description `value`: the value of each event. Null: each event counts as 1. */
      valueFrom: 'value' | null
      denominator: {
        eventKey: string
        /** @description `value`: the value of each event. Null: each event counts as 1. */
        valueFrom: 'value' | null
      } | null
      /**
       * @description The good direction.
       * @enum {string}
       */
      direction: 'INCREASE' | 'DECREASE'
      unit: string | null
      conversionWindowHours: number
      winsorizeAt: number | null
      nonInferiorityMargin: number | null
      /** @description What visitors do on pages that the script of a WEB project tells by itself, as the event `eventKey`, while an experiment with this metric runs. Null: only programs and `svc.track` send the event. An event can have one trigger in a project. */
      trigger: components['schemas']['CurrentMetricTrigger'] | null
      archived: boolean
      /** @description Whether a test that has started uses the metric, or an experiment has ended with it: it can then be renamed and archived, but not redefined. */
      inUse: boolean
      /** @description The first 100 drafted or live rules that use the metric. In a project of the type WEB, the experiments. */
      usedBy: (components['schemas']['AudienceUsedBy'] | components['schemas']['AudienceUsedBy2'])[]
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
    }
    /** @description Conditions about items, as in targeting: `{ "all": [...] }`, `{ "any": [...] }`, `{ "not": ... }`, or a field with an operator and a value. Fields are those of an item, such as `price` (a number), `brand`, `categories` and `attributes.size`. */
    ItemCondition: unknown
    PlacementVariant: {
      /** @description What fills the list, in this order: POPULAR, TRENDING, VIEWED_TOGETHER, BOUGHT_TOGETHER, SIMILAR, FOR_YOU, RECENTLY_VIEWED, IMPORTED, or the key of a model. Empty: the list has only pins. */
      strategies: string[]
      filter: components['schemas']['ItemCondition'] | null
      /** @description Only products of the deepest category of the first of `productIds`. */
      sameCategory: boolean
      /** @description Leaves out what the visitor has bought. */
      excludeBought: boolean
      /** @description The most products of one brand in a list. Null: no limit. */
      maxPerBrand: number | null
      /** @description The most products of one category in a list. Null: no limit. */
      maxPerCategory: number | null
      boosts: components['schemas']['PlacementVariantBoost'][]
      pins: components['schemas']['PlacementVariantPin'][]
    }
    PlacementMeasurement: {
      experimentId: string
      flagKey: string
      /** @description Of the experiment. */
      status: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      asOf: string
      /** @description The reporting currency. */
      currency: string | null
      visitors: {
        shown: number
        control: number
      }
      /** @description The difference of revenue per visitor between `default` and `none`. */
      perVisitor: components['schemas']['PlacementMeasurementPerVisitor']
      /** @description The difference times the visitors shown. */
      incrementalRevenue: components['schemas']['PlacementMeasurementPerVisitor']
      /** @description The same of the margin. Null if the test does not measure it: too few orders had costs when it began. */
      margin: {
        perVisitor: components['schemas']['PlacementMeasurementPerVisitor']
        incremental: components['schemas']['PlacementMeasurementPerVisitor']
      } | null
    }
    Placement: {
      id: string
      projectId: string
      key: string
      name: string
      /** @description The most products of a list. */
      limit: number
      /** @description Whether lists use what the service knows of a visitor: its last products, and what it bought. SDK keys are public, so the list of a guessed visitor then tells what that visitor did. */
      history: boolean
      /** @description Whether items in PREORDER and BACKORDER can be shown. */
      includePreorder: boolean
      variants: {
        [key: string]: components['schemas']['PlacementVariant']
      }
      /** @description What the placement brings, by the experiment of *Measure it*. Null without the scope `results:read`, and before there is an interval. */
      measurement: components['schemas']['PlacementMeasurement'] | null
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
    }
    RecommendationModel: {
      id: string
      projectId: string
      key: string
      name: string
      /**
       * @description How products are chosen. Cannot change.
       * @enum {string}
       */
      strategy: 'POPULAR' | 'TRENDING' | 'VIEWED_TOGETHER' | 'BOUGHT_TOGETHER' | 'SIMILAR' | 'FOR_YOU' | 'IMPORTED'
      /** @description What the model learns from: for VIEWED_TOGETHER, BOUGHT_TOGETHER and FOR_YOU a dataset of INTERACTIONS, for IMPORTED one of NEIGHBOURS. All others have none. Default: null. */
      datasetId: string | null
      /** @description Of POPULAR and TRENDING alone: what they count. All other strategies have none. */
      settings: {
        /** @description Whose events are read. Default: Production. */
        envId?: string
        /**
         * @description Keys of tracked events with a `productId` in their properties, and `order` → how much one of them counts. Default: {"product_viewed":1,"added_to_cart":3,"order":5}.
         * @example {
         *       "product_viewed": 1,
         *       "added_to_cart": 3,
         *       "order": 5
         *     }
         */
        actions?: {
          [key: string]: number
        }
      }
      schedule: (components['schemas']['EverySchedule'] | components['schemas']['CronSchedule']) | null
      /** @description The run that serves. Null: none does yet. The ETag does not change with it. */
      activeRun: components['schemas']['RecommendationModelActiveRun'] | null
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
    }
    RecommendationRun: {
      id: string
      number: number
      jobId: string
      /**
       * @description QUEUED: after a fault that can pass, the run is tried again.
       * @enum {string}
       */
      status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED'
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      startedAt: string
      endedAt: string | null
      /** @description Measured on the last days, which the model had not seen. All are shares from 0 to 1; one that is null was not measured. Null: the strategy has nothing to be measured on, or nobody has taken up anything. */
      metrics: components['schemas']['RecommendationMetrics'] | null
      /** @description How many products the model has something for. */
      products: number | null
      /** @description The size of the model in the memory of a node. */
      bytes: number | null
      /** @description Whether this run serves now. */
      activated: boolean
      /** @description When it last went live. */
      activatedAt: string | null
      /** @description Why it failed, or did not go live by itself. */
      reason: string | null
    }
    RecommendationRequest: {
      sdkKey: string
      placement: string
      /** @description The variant of the placement. One that the placement does not have shows no products. Default: `"default"`. */
      variant?: string
      /** @description The visitor. Only placements with `history` use it. */
      unit?: string | null
      /** @description What the page shows, or what is in the cart. It is not recommended. */
      productIds?: (string | number)[]
      /**
       * @description For POPULAR and TRENDING: this category and those below it.
       * @example Clothing > Shirts
       */
      category?: string | null
      /** @description What the visitor did, the latest first. */
      recent?: {
        productId: string | number
        /** @description With `order`, the visitor has bought the product, and `productId` can also be the id of an item. Default: `"product_viewed"`. */
        action?: string
      }[]
      /** @description Conditions that items must pass besides those of the placement: at most 10, without `matches`, and not about `cost`, `stock`, `sourceId` and `description`. */
      filter?: unknown
      exclude?: (string | number)[]
      /** @description The most products. Default: the `limit` of the placement. */
      limit?: number
    }
    Recommendations: {
      /** @description Names this answer in the events of its clicks. */
      recommendationId: string
      placement: string
      variant: string
      items: components['schemas']['RecommendationsItem'][]
    }
    RecommendationPreview: {
      /** @description Names this answer in the events of its clicks. */
      recommendationId: string
      placement: string
      variant: string
      items: components['schemas']['RecommendationsItem'][]
      /** @description Pins, then what each strategy gave, the best first: at most 2,000 products. */
      candidates: components['schemas']['RecommendationPreviewCandidate'][]
    }
    DraftedDeliveryRule: {
      /** @constant */
      type: 'TARGETED_DELIVERY'
      name: string
      description?: string | null
      /** @description Default: `[]`. */
      audienceIds?: string[]
      /** @description A tree of targeting conditions: `{ "all": [...] }`, `{ "any": [...] }`, `{ "not": ... }`, `{ "audience": id }`, `{ "segment": id }` or an attribute with an operator and a value. See docs/targeting.md. */
      conditions?: unknown
      /** @description The attribute with the bucketing unit. Default: `"targetingKey"`. */
      bucketBy?: string
      /** @description Basis points: 0 to 10000. Default: `10000`. */
      trafficAllocation?: number
      /** @description Default: 8 letters and digits that no other rule has. */
      salt?: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      /** @description The switch of a new rule. Default: true. The switch of an existing rule cannot change here. */
      enabled?: boolean
      variationKey: string
      /** @description Whether SDKs count the visitors of the rule. An A/B test always counts them. Default: `false`. */
      exposures?: boolean
      /** @description The id of a rule in the draft or the live version. */
      id?: string
      /** @description The number of the rule as read. It cannot change. */
      shortId?: number
      /** @constant */
      hashVersion?: 1
    }
    DraftedAbTestRule: {
      /** @constant */
      type: 'AB_TEST'
      name: string
      description?: string | null
      /** @description Default: `[]`. */
      audienceIds?: string[]
      /** @description A tree of targeting conditions: `{ "all": [...] }`, `{ "any": [...] }`, `{ "not": ... }`, `{ "audience": id }`, `{ "segment": id }` or an attribute with an operator and a value. See docs/targeting.md. */
      conditions?: unknown
      /** @description The attribute with the bucketing unit. Default: `"targetingKey"`. */
      bucketBy?: string
      /** @description Basis points: 0 to 10000. Default: `10000`. */
      trafficAllocation?: number
      /** @description Default: 8 letters and digits that no other rule has. */
      salt?: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      /** @description The switch of a new rule. Default: true. The switch of an existing rule cannot change here. */
      enabled?: boolean
      hypothesis?: string | null
      variations: {
        variationKey: string
        /** @description Basis points: 0 to 10000. */
        weight: number
      }[]
      baselineVariationKey: string
      metrics?: components['schemas']['NewAbTestRuleMetrics']
      statistics?: components['schemas']['NewAbTestRuleStatistics']
      /** @description The rule takes a slot of the group: its traffic is a share of the visitors in the slot. */
      exclusionGroupId?: string | null
      /** @description The rule leaves out the visitors of the holdout. */
      holdoutId?: string | null
      /** @description Visitors keep their variation after the weights have changed: in SDKs with a `stickyStore`, and in web experiments by the cookie `svc_kept`. Default: `false`. */
      sticky?: boolean
      /** @description The id of a rule in the draft or the live version. */
      id?: string
      /** @description The number of the rule as read. It cannot change. */
      shortId?: number
      /** @constant */
      hashVersion?: 1
    }
    /** @description A rule whose draft stays the same. */
    UnchangedRule: {
      /** @constant */
      type: 'UNCHANGED'
      id?: string
      key?: string
    }
    ManifestFlag: {
      key: string
      name: string
      /**
       * @description For a `NUMBER` flag: `integer` if every value is whole, otherwise `float`.
       * @enum {string}
       */
      type: 'boolean' | 'string' | 'integer' | 'float' | 'object'
      /** @description Absent if the flag has none. */
      description?: string
      /** @description The value of the default variation of the flag. */
      defaultValue: unknown
    }
    Manifest: {
      /** @description Sorted by key, without archived flags. */
      flags: components['schemas']['ManifestFlag'][]
    }
    IndexedEnvironment: {
      id: string
      key: string
      name: string
      color: string
      protected: boolean
      revision: number
    }
    IndexedServing: {
      /** @description How many rules serve. Rules below one that everyone gets do not count. More than 1: no other field. */
      rules: number
      /** @description What the only rule serves, or without rules what everyone gets. */
      variationKey?: string
      /**
       * @description The only rule is an A/B test.
       * @constant
       */
      abTest?: true
      /** @description The share of its visitors that the only rule serves, in hundredths of a percent. Omitted: all. */
      share?: number
      /**
       * @description The only rule has no conditions, or there is no rule.
       * @constant
       */
      everyone?: true
    }
    /** @description Fields that are false, 0 or missing are omitted. */
    IndexedFlagState: {
      /** @constant */
      running?: true
      /**
       * @description The flag was never published here: a run publishes its draft, and a pause does not take that back.
       * @constant
       */
      firstRun?: true
      /**
       * @description An A/B test is live here, whether it runs or is paused.
       * @constant
       */
      abTest?: true
      /** @description What visitors get. Only of a running flag. */
      serves?: components['schemas']['IndexedServing']
      /** @description How many changes the next publish would make live. */
      unpublished?: number
      scheduled?: {
        /** @enum {string} */
        action: 'RUN' | 'PAUSE'
        /**
         * Format: date-time
         * @description ISO 8601 in UTC with milliseconds.
         */
        runAt: string
      }
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      lastEvaluatedAt?: string
    }
    IndexedFlag: {
      shortId: number
      key: string
      name: string
      /** @enum {string} */
      type: 'BOOLEAN' | 'STRING' | 'NUMBER' | 'JSON'
      /** @enum {string} */
      status: 'DRAFT' | 'PAUSED' | 'RUNNING' | 'ARCHIVED'
      /** @constant */
      stale?: true
      tags: string[]
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
      /** @description The name of the person or token that edited or switched the flag last. Omitted for changes before this was recorded. */
      updatedBy?: string
      /** @description The id of the person who looks after the flag. */
      owner?: string
      /** @description One for each environment, in the order of `environments`. */
      states: components['schemas']['IndexedFlagState'][]
    }
    IndexedAudience: {
      id: string
      shortId: number
      key: string
      name: string
    }
    IndexedSegment: {
      id: string
      shortId: number
      key: string
      name: string
    }
    IndexedMetric: {
      id: string
      key: string
      name: string
      /** @constant */
      archived?: true
    }
    IndexedWebhook: {
      id: string
      key: string
      name: string
    }
    IndexedDestination: {
      id: string
      key: string
      name: string
    }
    IndexedExclusionGroup: {
      id: string
      shortId: number
      key: string
      name: string
    }
    IndexedHoldout: {
      id: string
      shortId: number
      key: string
      name: string
      /** @constant */
      archived?: true
    }
    IndexedExperiment: {
      id: string
      shortId: number
      name: string
    }
    IndexedCatalogSource: {
      id: string
      key: string
      name: string
    }
    IndexedDataset: {
      id: string
      key: string
      name: string
    }
    IndexedRecommendationModel: {
      id: string
      key: string
      name: string
    }
    IndexedPlacement: {
      id: string
      key: string
      name: string
    }
    /** @description `left`: the person is no longer a member of the organization. */
    IndexedOwner: {
      id: string
      name: string
      /** @constant */
      left?: true
    }
    ProjectIndex: {
      /** @description In the order of their positions. Null if the token has neither the scope `projects:read` nor `flags:read`. */
      environments: components['schemas']['IndexedEnvironment'][] | null
      /** @description Newest first. Null if the token lacks the scope `flags:read`. */
      flags: components['schemas']['IndexedFlag'][] | null
      /** @description The people who own flags of the project, by name. Null if the token lacks the scope `flags:read`. */
      owners: components['schemas']['IndexedOwner'][] | null
      /** @description Null if the token lacks the scope `audiences:read`. */
      audiences: components['schemas']['IndexedAudience'][] | null
      /** @description Null if the token lacks the scope `segments:read`. */
      segments: components['schemas']['IndexedSegment'][] | null
      /** @description Null if the token lacks the scope `metrics:read`. */
      metrics: components['schemas']['IndexedMetric'][] | null
      /** @description Null if the token lacks the scope `webhooks:read`. */
      webhooks: components['schemas']['IndexedWebhook'][] | null
      /** @description Null if the token lacks the scope `integrations:read`. */
      destinations: components['schemas']['IndexedDestination'][] | null
      /** @description Null if the token lacks the scope `experiments:read`. */
      exclusionGroups: components['schemas']['IndexedExclusionGroup'][] | null
      /** @description Null if the token lacks the scope `experiments:read`. */
      holdouts: components['schemas']['IndexedHoldout'][] | null
      /** @description Null if the token lacks the scope `experiments:read`. */
      experiments: components['schemas']['IndexedExperiment'][] | null
      /** @description Null if the token lacks the scope `catalog:read`. */
      catalogSources: components['schemas']['IndexedCatalogSource'][] | null
      /** @description Null if the token lacks the scope `datasets:read`. */
      datasets: components['schemas']['IndexedDataset'][] | null
      /** @description Null if the token lacks the scope `recommendations:read`. */
      recommendationsModels: components['schemas']['IndexedRecommendationModel'][] | null
      /** @description Null if the token lacks the scope `recommendations:read`. */
      recommendationsPlacements: components['schemas']['IndexedPlacement'][] | null
      /** @description The attributes that rules and audiences read, at most 1,000. Null if the token lacks the scope `flags:read`. */
      attributes: string[] | null
    }
    SegmentEdit: {
      /** @enum {string} */
      edit: 'replace' | 'add' | 'remove'
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      at: string
      by: components['schemas']['Actor']
      /** @description Number of visitor ids before. */
      before: number
      after: number
    }
    Segment: {
      id: string
      /** @description Unique in the project. The data file identifies the segment by this number, as a string. */
      shortId: number
      projectId: string
      key: string
      name: string
      description: string | null
      /** @description Number of visitor ids in the segment. */
      count: number
      /** @description The last change of the ids. Null: there was none, or it was before this was kept. */
      lastEdit: components['schemas']['SegmentEdit'] | null
      /** @description The first 100 drafted or live rules, or experiments in a project of the type WEB, and the first 100 audiences that use the segment. */
      usedBy: (
        | components['schemas']['AudienceUsedBy']
        | components['schemas']['AudienceUsedBy2']
        | {
            /** @constant */
            type: 'audience'
            id: string
          }
      )[]
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
    }
    ArrivedDay: {
      /**
       * Format: date
       * @description In UTC.
       */
      day: string
      /** @description How many events arrived, each id once. */
      events: number
      /** @description How many of them have a value. */
      valued: number
      /** @description The sum of their values. */
      valueSum: number
    }
    ArrivedEvent: {
      eventKey: string
      /** @description When the last event arrived. Null: none did in these days. */
      lastAt: string | null
      /** @description The last 30 days, oldest first. The last one is today. */
      days: components['schemas']['ArrivedDay'][]
    }
    MetricActivity: {
      envId: string
      /** @description The event of the metric. Null: it comes from orders, which are not counted here. */
      event: components['schemas']['ArrivedEvent'] | null
      /** @description The event that a RATIO divides by. Null if there is none, or if it comes from orders. */
      denominator: components['schemas']['ArrivedEvent'] | null
      /** @description The value that tests of the environment measured in the last 14 days, over all their variations: those of the rule with the most visitors. Null if none did. */
      figures: components['schemas']['RecentMetricFigures'] | null
    }
    SampleSizeGuardrail: {
      /** @enum {string} */
      type: 'PROPORTION' | 'MEAN' | 'RATIO'
      /** @description The rate, the mean or the ratio of the baseline, such as 0.05 for 5 %. */
      baseline: number
      /** @description The standard deviation of the value per visitor. For a RATIO, the standard deviation of the delta method, as results show it. Required for MEAN and RATIO. */
      stddev?: number | null
      /**
       * @description The good direction. Default: `"INCREASE"`.
       * @enum {string}
       */
      direction?: 'INCREASE' | 'DECREASE'
      /** @description How much worse than the baseline is accepted, as a fraction of it. Default: `0.02`. */
      nonInferiorityMargin?: number
    }
    SampleSizeRequest: {
      /** @enum {string} */
      type: 'PROPORTION' | 'MEAN' | 'RATIO'
      /** @description The rate, the mean or the ratio of the baseline, such as 0.05 for 5 %. */
      baseline: number
      /** @description The standard deviation of the value per visitor. For a RATIO, the standard deviation of the delta method, as results show it. Required for MEAN and RATIO. */
      stddev?: number | null
      /** @description The smallest change to find, as a fraction of the baseline: 0.1 for 10 % more, -0.1 for 10 % less. */
      minimumDetectableLift: number
      /** @description Default: `0.05`. */
      alpha?: number
      /** @description The probability that the test finds the change. Must be more than `alpha`. Default: `0.8`. */
      power?: number
      /**
       * @description Default: `"SEQUENTIAL"`.
       * @enum {string}
       */
      test?: 'SEQUENTIAL' | 'FIXED_HORIZON'
      /** @description The number of variations, including the baseline. Default: `2`. */
      variations?: number
      /** @description The number of primary metrics. Each is compared for each variation, and all comparisons are corrected together. Default: `1`. */
      primaryMetrics?: number
      /**
       * @description The correction of p-values for several comparisons, as in the statistics of the test. Default: `"HOLM"`.
       * @enum {string}
       */
      correction?: 'HOLM' | 'BENJAMINI_HOCHBERG' | 'NONE'
      /** @description The share of the variance that CUPED removes, as results show it. 0 without CUPED, and for a RATIO. Default: `0`. */
      varianceReduction?: number
      /** @description The guardrail metrics that the test must show to hold within their margins. Default: `[]`. */
      guardrails?: components['schemas']['SampleSizeGuardrail'][]
      /** @description The number of new visitors per day who take part. With it, the answer says how long the test runs, and what tests of 1 to 12 weeks can find. */
      unitsPerDay?: number | null
    }
    SampleSize: {
      /** @description Enough for the primary metric and all guardrails. */
      unitsPerVariation: number
      totalUnits: number
      /** @description What the primary metric alone needs. */
      primaryUnitsPerVariation: number
      /** @description What each guardrail alone needs, in the order of the request. */
      guardrails: {
        unitsPerVariation: number
      }[]
      /** @description How many comparisons are corrected together. */
      comparisons: number
      days: number | null
      /** @description Whole weeks, at least one. */
      recommendedDays: number | null
      /**
       * @description The smallest change that a test of so many whole weeks finds, in the direction of the request. Null without `unitsPerDay`.
       * @example [
       *       {
       *         "days": 7,
       *         "unitsPerVariation": 14000,
       *         "minimumDetectableLift": 0.2
       *       }
       *     ]
       */
      durations: components['schemas']['SampleSizeDuration'][] | null
      assumptions: string[]
    }
    VisitorSample: {
      /** @description How many visitors the sample has, at most the newest 1,000. */
      visitors: number
      /** @description When the first of them was seen. Null without visitors. */
      from: string | null
      /** @description When the last of them was seen. Null without visitors. */
      to: string | null
    }
    SeenAttribute: {
      name: string
      types: ('STRING' | 'NUMBER' | 'BOOLEAN')[]
      /** @description How many visitors of the sample have the attribute. */
      visitors: number
      /** @description At most 50 values that at least two visitors have, the most frequent first. Empty if there are more than 100 values or if one looks like an e-mail address. */
      values: (string | number | boolean)[]
    }
    SeenAttributes: {
      envId: string
      /** @description Whether the project samples visitors. If it does not, the sample is empty. */
      samplesVisitors: boolean
      sample: components['schemas']['VisitorSample']
      /** @description At most 100 attributes, those of most visitors first. */
      attributes: components['schemas']['SeenAttribute'][]
    }
    AudienceReach: {
      envId: string
      /** @description Whether the project samples visitors. If it does not, the sample is empty. */
      samplesVisitors: boolean
      sample: components['schemas']['VisitorSample']
      /** @description How many visitors of the sample match the audience. */
      matching: number
      /** @description Attributes of the conditions that the sample does not know: no visitor has them, or some of their values are not kept. Visitors are judged as if they did not have these values. */
      unknownAttributes: string[]
    }
    ExclusionGroup: {
      id: string
      /** @description Unique in the project. The data file identifies the group by this number, as a string. */
      shortId: number
      projectId: string
      key: string
      name: string
      /** @description The share of the visitors that each rule gets, in basis points. Fixed while rules have slots. */
      slotSize: number
      /** @description The slots of drafted and live rules: the buckets of the group, `from` inclusive and `to` exclusive. Each environment has its own. */
      slots: components['schemas']['ExclusionGroupSlot'][]
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
    }
    Holdout: {
      id: string
      /** @description Unique in the project. The data file identifies the holdout by this number, as a string. */
      shortId: number
      projectId: string
      key: string
      name: string
      /** @description The share of the visitors who stay out, in basis points: at most 20 %. Fixed once a rule has used the holdout. */
      share: number
      /** @description A visitor stays out if the bucket under this salt is below `share`. */
      salt: string
      archived: boolean
      /** @description The first 100 drafted or live rules that use the holdout. In a project of the type WEB, the experiments. */
      usedBy: (components['schemas']['AudienceUsedBy'] | components['schemas']['AudienceUsedBy2'])[]
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
    }
    OfrepRequest: {
      /** @description The visitor: `targetingKey` and attributes, also nested. */
      context: {
        targetingKey?: string
      } & {
        [key: string]: unknown
      }
    } & {
      [key: string]: unknown
    }
    OfrepSuccess: {
      key: string
      /** @description A boolean, a text, a number or JSON, as the flag’s type says. */
      value: unknown
      /** @enum {string} */
      reason: 'DISABLED' | 'TARGETING_MATCH' | 'SPLIT' | 'STATIC'
      /** @description The key of the variation. */
      variant: string
      metadata: components['schemas']['OfrepSuccessMetadata']
    }
    OfrepFailure: {
      /** @description Absent if the failure is not about one flag. */
      key?: string
      errorCode: string
      /** @description A text for people. */
      errorDetails: string
    }
    OfrepBulk: {
      /** @description Sorted by key. */
      flags: (components['schemas']['OfrepSuccess'] | components['schemas']['OfrepFailure'])[]
      metadata: {
        /** @description The id of the environment. */
        flagSetId: string
        /** @description The revision of the data file. */
        version: string
      }
      /** @description The address of the stream that announces changes. It needs no header. */
      eventStreams: components['schemas']['OfrepBulkEventStream'][]
    }
    Member: {
      userId: string
      name: string
      email: string
      role: {
        id: string
        name: string
      }
      /** @description The projects that the member can see. Null: all projects. */
      projectIds: string[] | null
      /** @description Whether the account has a second factor. */
      secondFactor: boolean
      /** @description Last use of the dashboard or a personal token. */
      lastSeenAt: string | null
      /**
       * Format: date-time
       * @description When the person became a member.
       */
      createdAt: string
    }
    Invitation: {
      id: string
      email: string
      role: {
        id: string
        name: string
      }
      /** @description The projects that the member can see. Null: all projects. */
      projectIds: string[] | null
      invitedBy: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      expiresAt: string
      expired: boolean
    }
    SentInvitation: {
      id: string
      email: string
      role: {
        id: string
        name: string
      }
      /** @description The projects that the member can see. Null: all projects. */
      projectIds: string[] | null
      invitedBy: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      expiresAt: string
      expired: boolean
      /** @description The link to pass on, shown only once. Null if the service sent it by mail. Null in a repeated answer. */
      link: string | null
    }
    ResetLink: {
      /** @description Shown once. Null in a repeated answer. */
      link: string | null
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      expiresAt: string
    }
    Link: {
      /** @enum {string} */
      kind: 'OWNER' | 'INVITATION' | 'PASSWORD_RESET' | 'EMAIL_CHANGE'
      /** @description E-mail address of the person. Null for the link that creates the owner. */
      email: string | null
      /** @description The organization of an invitation. */
      organization: {
        id: string
        name: string
      } | null
      invitedBy: string | null
      hasAccount: boolean
      /** @description Null: the link works until it is used. */
      expiresAt: string | null
      /** @description Only for password links: the active personal tokens of the account, newest first, at most 100. */
      personalTokens: components['schemas']['LinkPersonalToken'][]
      /** @description Only for the link that creates the owner: the token of the first start, which can do everything. Null if there is none or it has ended. */
      initialToken: {
        name: string
        lastUsedAt: string | null
      } | null
    }
    Identity: {
      id: string
      provider: string
      email: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
    }
    NotificationPreview: {
      /** @description How many events the filter checks. */
      events: number
      /** @description How many of them pass. */
      passed: number
      /** @description How many safety events there are. They always pass and are not counted above. */
      safety: number
      /**
       * Format: date-time
       * @description Earlier events are not counted.
       */
      since: string
      /** @description Whether there are more events than the preview checks. `since` is then the time of the oldest checked event. */
      hasMore: boolean
      byEvent: components['schemas']['NotificationPreviewByEvent'][]
      keywords: {
        keyword: string
        /** @description How many events mention the keyword. */
        matches: number
      }[]
      /** @description The latest five that pass. */
      passing: components['schemas']['NotificationPreviewPassing'][]
      /** @description The latest five that do not pass. */
      stopped: components['schemas']['NotificationPreviewPassing'][]
    }
    NamedPlace: {
      id: string
      shortId: number
      key: string
      name: string
    }
    VisibleName: {
      id: string
      /** @constant */
      visible: true
      /** @enum {string} */
      kind:
        | 'organization'
        | 'member'
        | 'invitation'
        | 'role'
        | 'user'
        | 'session'
        | 'service_token'
        | 'personal_token'
        | 'project'
        | 'environment'
        | 'flag'
        | 'rule'
        | 'audience'
        | 'segment'
        | 'metric'
        | 'webhook'
        | 'destination'
        | 'exclusion_group'
        | 'holdout'
        | 'experiment'
        | 'catalog'
        | 'catalog_source'
        | 'dataset'
        | 'recommendation_model'
        | 'placement'
        | 'job'
      /** @description The name; for a deleted object, its last name. */
      name: string
      key: string | null
      shortId: number | null
      /** @description The project of the object. For a project, the project itself. */
      project: components['schemas']['NamedPlace'] | null
      environment: components['schemas']['VisibleNameEnvironment'] | null
      /** @description The flag of a rule. */
      flag: components['schemas']['NamedPlace'] | null
      deleted: boolean
    }
    InvisibleName: {
      id: string
      /** @constant */
      visible: false
    }
    /** @description `visible` is false for an id that does not exist or that the token cannot read. */
    NameOfId: components['schemas']['VisibleName'] | components['schemas']['InvisibleName']
    /** @description Details of the problem. Each kind has its own fields. */
    ProblemDetails: {
      /** @description Why a webhook or destination was disabled, a schedule or job failed, results are incomplete, what the code of an experiment has thrown, or why events are refused: `events` or `bytes` for the quota of the day, `disk` for a disk that is full or almost full. */
      reason?: string
      /** @description The key of the variation whose code fails. */
      variation?: string
      /** @description The kind of a job. */
      job?: string
      /** @description The number of consecutive deliveries that failed. */
      failures?: number
      failuresUntilDisabled?: number
      /**
       * @description What the schedule does.
       * @enum {string}
       */
      action?: 'RUN' | 'PAUSE'
      /**
       * Format: date-time
       * @description When the schedule runs.
       */
      runAt?: string
      /** @description How many clients are behind or silent. */
      clients?: number
      /** @description How many clients are known. */
      of?: number
      /**
       * Format: date-time
       * @description When the token expires.
       */
      expiresAt?: string
    }
    Problem: {
      /** @enum {string} */
      kind:
        | 'WEBHOOK_DISABLED'
        | 'WEBHOOK_FAILING'
        | 'DESTINATION_DISABLED'
        | 'DESTINATION_FAILING'
        | 'SCHEDULE_FAILED'
        | 'SCHEDULE_SUSPENDED'
        | 'GUARDRAIL_BREACHED'
        | 'TEST_UNHEALTHY'
        | 'CLIENTS_BEHIND'
        | 'CLIENTS_SILENT'
        | 'RESULTS_FAILING'
        | 'CODE_FAILING'
        | 'JOB_FAILED'
        | 'EVENTS_STOPPED'
        | 'TOKEN_EXPIRING'
        | 'INITIAL_TOKEN'
        | 'NO_SECOND_FACTOR'
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      since: string
      /** @description What the problem is about. Its link leads there. */
      object: components['schemas']['ProblemObject']
      project: components['schemas']['NamedPlace'] | null
      environment: components['schemas']['VisibleNameEnvironment'] | null
      flag: components['schemas']['NamedPlace'] | null
      details: components['schemas']['ProblemDetails']
    }
    Attention: {
      /** @description At most 50, the latest first. */
      problems: components['schemas']['Problem'][]
      hasMore: boolean
    }
    AuditEntry: {
      id: string
      /** @description Number of the entry in the organization, without gaps, in the order of the commits. */
      seq: number
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      at: string
      actor: components['schemas']['AuditEntryActor']
      action: string
      object: components['schemas']['AuditEntryObject']
      /** @description Null if the entry is about the organization or a person. */
      projectId: string | null
      /** @description The changed fields before the change. Never contains a secret. */
      before: unknown
      /** @description The changed fields after the change. */
      after: unknown
      requestId: string | null
      ip: string | null
      userAgent: string | null
      /** @description SHA-256 of the entry and the hash of the previous entry, in hexadecimal. */
      hash: string
    }
    Event: {
      /** @description Number of the event in the project, without gaps, in the order of the commits. */
      seq: number
      id: string
      event: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      timestamp: string
      project: components['schemas']['MeOrganization']
    } & {
      [key: string]: unknown
    }
    /** @description Server-sent events. The id of each is the number of an audit entry. An event without a name is a change: it says what was changed, by whom and with which request, without the content. `ready` begins the stream; changes up to the number `upTo` happened before. `gap`: changes are missing, so reload what you show. */
    DashboardChanges: string
    /** @description Server-sent events. The id of each is a revision, its data a JSON object: `type` is `refetchEvaluation`, `etag` is the ETag of the data file, and `change` can contain the flags that changed since the revision `change.from`. */
    DataFileEvents: string
    ServedWebChange: {
      /** @description The key of a page; null for all pages of the experiment. */
      page: string | null
      selector: string
      /** @enum {string} */
      type: 'TEXT' | 'HTML' | 'ATTRIBUTE' | 'IMAGE' | 'CLASS' | 'INSERT' | 'MOVE'
      value?: (string | unknown[]) | null
      name?: string
      alt?: string | null
      add?: string[]
      remove?: string[]
      to?: string
      /**
       * @description BEFORE and AFTER are beside the element that the selector finds, FIRST and LAST are inside of it.
       * @enum {string}
       */
      position?: 'BEFORE' | 'AFTER' | 'FIRST' | 'LAST'
      /**
       * @description The change sets what its selector reads, such as the `href` of `a[href="/old"]`.
       * @constant
       */
      own?: true
    }
    ServedWebVariation: {
      css: {
        /** @description The key of a page; null for all pages of the experiment. */
        page: string | null
        text: string
      }[]
      changes: components['schemas']['ServedWebChange'][]
      redirect: {
        url: string
        keepQuery: boolean
      } | null
      /** @description The place of its function in the script; null without code. */
      code: number | null
    }
    ServedWebGoal: {
      /** @description The event that the script sends. */
      eventKey: string
      /** @enum {string} */
      on: 'CLICK' | 'FORM_SUBMIT' | 'PAGE_VIEW' | 'SEEN'
      selector: string | null
      /** @description Conditions over the page; null: everywhere. */
      when: unknown
    }
    ServedWebExperiment: {
      /** @description The key of its flag in the data file. */
      key: string
      /** @enum {string} */
      activation: 'PAGE' | 'SEEN' | 'CALL'
      activationSelector: string | null
      /** @enum {string} */
      applyAt: 'AUTO' | 'EARLY' | 'HYDRATED'
      /** @description Conditions by the key of the page. */
      pages: {
        [key: string]: unknown
      }
      variations: {
        [key: string]: components['schemas']['ServedWebVariation']
      }
    }
    WebDocument: {
      /** @constant */
      schemaVersion: 1
      /** @description The revision of the data file that it belongs to. */
      revision: number
      settings: components['schemas']['WebDocumentSettings']
      experiments: components['schemas']['ServedWebExperiment'][]
      /** @description The triggers of the metrics of running experiments. */
      goals: components['schemas']['ServedWebGoal'][]
    }
    ReplayedDeliveries: {
      /** @description How many deliveries are sent again: at most 10000, oldest first. */
      replayed: number
    }
    Delivery: {
      /** @description The id in the paths of a delivery. */
      id: string
      destinationId: string
      /** @description The value of the X-Svc-Delivery-Id header. */
      deliveryId: string
      eventType: string
      sourceEntityId: string | null
      payload: {
        [key: string]: unknown
      }
      /** @enum {string} */
      status: 'PENDING' | 'DELIVERED' | 'FAILED' | 'PERMANENTLY_FAILED'
      attempts: number
      lastAttemptAt: string | null
      nextRetryAt: string | null
      responseStatus: number | null
      responseBody: string | null
      errorMessage: string | null
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
    }
    /** @description Texts that replace the default texts. `{{flag.name}}` is a path into the payload; `{{flags.0.key}}` has an index. Null: the default texts. */
    MessageTemplate: {
      title: string | null
      summary: string | null
    } | null
    SlackConfig: {
      /**
       * Format: uri
       * @description Address of an *incoming webhook* of Slack, or of a chat that accepts the same messages.
       */
      url: string
    }
    TeamsConfig: {
      /**
       * Format: uri
       * @description Address of a workflow that posts to a channel *when a Teams webhook request is received*.
       */
      url: string
    }
    DiscordConfig: {
      /**
       * Format: uri
       * @description Address of a channel’s *webhook*.
       */
      url: string
    }
    GoogleChatConfig: {
      /**
       * Format: uri
       * @description Address of a space’s *incoming webhook*.
       */
      url: string
    }
    JiraConfig: {
      /**
       * Format: uri
       * @description The address of the site, such as `https://acme.atlassian.net`.
       */
      site: string
      /**
       * Format: email
       * @description The e-mail address of the account that the token belongs to.
       */
      email: string
      /** @description An Atlassian API token. */
      token: string
      /** @example OPS */
      projectKey: string
      /** @description The name of an issue type of the project. Default: `"Task"`. */
      issueType?: string
      /** @description Labels in addition to `svc` and one label for each ticket. Default: `[]`. */
      labels?: string[]
      /** @description The transition of a resolved ticket. Null: the ticket only gets a comment. */
      doneTransitionId?: string | null
    }
    LinearConfig: {
      /** @description A personal API key, from *Settings → Security & access*. */
      apiKey: string
      /**
       * Format: uuid
       * @description The id of the team that gets the issues.
       */
      teamId: string
      /** @description Default: `[]`. */
      labelIds?: string[]
      /** @description The workflow state of a resolved issue. Null: the issue only gets a comment. */
      doneStateId?: string | null
    }
    GithubConfig: {
      /**
       * Format: uri
       * @description The address of the API. For GitHub Enterprise Server: `https://<host>/api/v3`. Default: `"https://api.github.com"`.
       */
      apiUrl?: string
      owner: string
      repo: string
      /** @description A token that can read and write issues of the repository. */
      token: string
      /** @description Labels in addition to `svc`. GitHub ignores labels if the token cannot push. Default: `[]`. */
      labels?: string[]
    }
    PagerdutyConfig: {
      /**
       * @description The service region of the PagerDuty account. Default: `"US"`.
       * @enum {string}
       */
      region?: 'US' | 'EU'
      /**
       * @description Integration key of an *Events API v2* integration.
       * @example 0123456789abcdef0123456789abcdef
       */
      routingKey: string
    }
    EmailConfig: {
      /** @description Each address gets a separate mail. */
      to: string[]
    }
    TemplateConfig: {
      /** Format: uri */
      url: string
      /**
       * @description Default: `"POST"`.
       * @enum {string}
       */
      method?: 'POST' | 'PUT'
      /** @description Default: `{}`. */
      headers?: {
        [key: string]: string
      }
      /** @description JSON whose strings can have placeholders such as `{{flag.name}}`. */
      body: unknown
      /** @description Whether requests have the headers of a signed webhook. Default: `false`. */
      sign?: boolean
    }
    NewSlackDestination: {
      /** @constant */
      kind: 'SLACK'
      config: components['schemas']['SlackConfig']
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      events: (
        | 'experiment.created'
        | 'experiment.updated'
        | 'experiment.archived'
        | 'experiment.unarchived'
        | 'experiment.deleted'
        | 'experiment.launched'
        | 'experiment.paused'
        | 'experiment.resumed'
        | 'experiment.completed'
        | 'experiment.changes_published'
        | 'experiment.schedule_failed'
        | 'experiment.visual_changes.saved'
        | 'experiment.winner_declared'
        | 'experiment.results_ready'
        | 'experiment.srm_failed'
        | 'experiment.guardrail_breached'
        | 'experiment.guardrail_metric_breached'
        | 'experiment.code_error_detected'
        | 'flag.created'
        | 'flag.updated'
        | 'flag.archived'
        | 'flag.unarchived'
        | 'flag.deleted'
        | 'flag.published'
        | 'flag.rule_activated'
        | 'flag.schedule_updated'
        | 'flag.schedule_failed'
        | 'flag.srm_failed'
        | 'flag.guardrail_breached'
        | 'flag.results_ready'
        | 'audience.created'
        | 'audience.updated'
        | 'audience.deleted'
        | 'segment.created'
        | 'segment.updated'
        | 'segment.deleted'
        | 'metric.created'
        | 'metric.updated'
        | 'metric.deleted'
        | 'exclusion_group.created'
        | 'exclusion_group.updated'
        | 'exclusion_group.deleted'
        | 'holdout.created'
        | 'holdout.updated'
        | 'holdout.deleted'
        | 'catalog_source.created'
        | 'catalog_source.updated'
        | 'catalog_source.deleted'
        | 'dataset.created'
        | 'dataset.updated'
        | 'dataset.deleted'
        | 'recommendation_model.created'
        | 'recommendation_model.updated'
        | 'recommendation_model.deleted'
        | 'placement.created'
        | 'placement.updated'
        | 'placement.deleted'
        | 'commerce.import.completed'
        | 'commerce.job_failed'
        | 'recommendation.run.completed'
        | 'dataset.version.activated'
        | 'catalog.feed_sync.completed'
        | 'catalog.updated'
        | 'job.updated'
        | 'visitor.erased'
        | 'project.created'
        | 'project.updated'
        | 'project.deleted'
        | 'environment.created'
        | 'environment.updated'
        | 'environment.deleted'
        | 'environment.sdk_key_created'
        | 'environment.sdk_key_revoked'
        | 'environment.ingest_key_created'
        | 'environment.ingest_key_revoked'
        | 'webhook.created'
        | 'webhook.updated'
        | 'webhook.deleted'
        | 'webhook.secret_rotated'
        | 'webhook.tested'
        | 'webhook.delivery_retried'
        | 'webhook.disabled'
        | 'destination.created'
        | 'destination.updated'
        | 'destination.deleted'
        | 'destination.tested'
        | 'destination.delivery_retried'
        | 'destination.disabled'
        | 'token.expiring'
        | 'webhook.test'
      )[]
      /** @description Sends only events of these environments, and events without an environment. Null: events of all environments. */
      environmentIds?: string[] | null
      /** @description Whether the destination gets the events of every project. Default: `false`. */
      allProjects?: boolean
      template?: components['schemas']['MessageTemplateInput']
      /**
       * @description When events are sent: at once, every hour, or once a day. Safety events never wait. Default: `"NONE"`.
       * @enum {string}
       */
      digest?: 'NONE' | 'HOURLY' | 'DAILY'
      /** @description Whether the destination keeps the quiet hours of the organization. Safety events never wait. Default: `true`. */
      quietHours?: boolean
    }
    NewTeamsDestination: {
      /** @constant */
      kind: 'TEAMS'
      config: components['schemas']['TeamsConfig']
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      events: (
        | 'experiment.created'
        | 'experiment.updated'
        | 'experiment.archived'
        | 'experiment.unarchived'
        | 'experiment.deleted'
        | 'experiment.launched'
        | 'experiment.paused'
        | 'experiment.resumed'
        | 'experiment.completed'
        | 'experiment.changes_published'
        | 'experiment.schedule_failed'
        | 'experiment.visual_changes.saved'
        | 'experiment.winner_declared'
        | 'experiment.results_ready'
        | 'experiment.srm_failed'
        | 'experiment.guardrail_breached'
        | 'experiment.guardrail_metric_breached'
        | 'experiment.code_error_detected'
        | 'flag.created'
        | 'flag.updated'
        | 'flag.archived'
        | 'flag.unarchived'
        | 'flag.deleted'
        | 'flag.published'
        | 'flag.rule_activated'
        | 'flag.schedule_updated'
        | 'flag.schedule_failed'
        | 'flag.srm_failed'
        | 'flag.guardrail_breached'
        | 'flag.results_ready'
        | 'audience.created'
        | 'audience.updated'
        | 'audience.deleted'
        | 'segment.created'
        | 'segment.updated'
        | 'segment.deleted'
        | 'metric.created'
        | 'metric.updated'
        | 'metric.deleted'
        | 'exclusion_group.created'
        | 'exclusion_group.updated'
        | 'exclusion_group.deleted'
        | 'holdout.created'
        | 'holdout.updated'
        | 'holdout.deleted'
        | 'catalog_source.created'
        | 'catalog_source.updated'
        | 'catalog_source.deleted'
        | 'dataset.created'
        | 'dataset.updated'
        | 'dataset.deleted'
        | 'recommendation_model.created'
        | 'recommendation_model.updated'
        | 'recommendation_model.deleted'
        | 'placement.created'
        | 'placement.updated'
        | 'placement.deleted'
        | 'commerce.import.completed'
        | 'commerce.job_failed'
        | 'recommendation.run.completed'
        | 'dataset.version.activated'
        | 'catalog.feed_sync.completed'
        | 'catalog.updated'
        | 'job.updated'
        | 'visitor.erased'
        | 'project.created'
        | 'project.updated'
        | 'project.deleted'
        | 'environment.created'
        | 'environment.updated'
        | 'environment.deleted'
        | 'environment.sdk_key_created'
        | 'environment.sdk_key_revoked'
        | 'environment.ingest_key_created'
        | 'environment.ingest_key_revoked'
        | 'webhook.created'
        | 'webhook.updated'
        | 'webhook.deleted'
        | 'webhook.secret_rotated'
        | 'webhook.tested'
        | 'webhook.delivery_retried'
        | 'webhook.disabled'
        | 'destination.created'
        | 'destination.updated'
        | 'destination.deleted'
        | 'destination.tested'
        | 'destination.delivery_retried'
        | 'destination.disabled'
        | 'token.expiring'
        | 'webhook.test'
      )[]
      /** @description Sends only events of these environments, and events without an environment. Null: events of all environments. */
      environmentIds?: string[] | null
      /** @description Whether the destination gets the events of every project. Default: `false`. */
      allProjects?: boolean
      template?: components['schemas']['MessageTemplateInput']
      /**
       * @description When events are sent: at once, every hour, or once a day. Safety events never wait. Default: `"NONE"`.
       * @enum {string}
       */
      digest?: 'NONE' | 'HOURLY' | 'DAILY'
      /** @description Whether the destination keeps the quiet hours of the organization. Safety events never wait. Default: `true`. */
      quietHours?: boolean
    }
    NewDiscordDestination: {
      /** @constant */
      kind: 'DISCORD'
      config: components['schemas']['DiscordConfig']
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      events: (
        | 'experiment.created'
        | 'experiment.updated'
        | 'experiment.archived'
        | 'experiment.unarchived'
        | 'experiment.deleted'
        | 'experiment.launched'
        | 'experiment.paused'
        | 'experiment.resumed'
        | 'experiment.completed'
        | 'experiment.changes_published'
        | 'experiment.schedule_failed'
        | 'experiment.visual_changes.saved'
        | 'experiment.winner_declared'
        | 'experiment.results_ready'
        | 'experiment.srm_failed'
        | 'experiment.guardrail_breached'
        | 'experiment.guardrail_metric_breached'
        | 'experiment.code_error_detected'
        | 'flag.created'
        | 'flag.updated'
        | 'flag.archived'
        | 'flag.unarchived'
        | 'flag.deleted'
        | 'flag.published'
        | 'flag.rule_activated'
        | 'flag.schedule_updated'
        | 'flag.schedule_failed'
        | 'flag.srm_failed'
        | 'flag.guardrail_breached'
        | 'flag.results_ready'
        | 'audience.created'
        | 'audience.updated'
        | 'audience.deleted'
        | 'segment.created'
        | 'segment.updated'
        | 'segment.deleted'
        | 'metric.created'
        | 'metric.updated'
        | 'metric.deleted'
        | 'exclusion_group.created'
        | 'exclusion_group.updated'
        | 'exclusion_group.deleted'
        | 'holdout.created'
        | 'holdout.updated'
        | 'holdout.deleted'
        | 'catalog_source.created'
        | 'catalog_source.updated'
        | 'catalog_source.deleted'
        | 'dataset.created'
        | 'dataset.updated'
        | 'dataset.deleted'
        | 'recommendation_model.created'
        | 'recommendation_model.updated'
        | 'recommendation_model.deleted'
        | 'placement.created'
        | 'placement.updated'
        | 'placement.deleted'
        | 'commerce.import.completed'
        | 'commerce.job_failed'
        | 'recommendation.run.completed'
        | 'dataset.version.activated'
        | 'catalog.feed_sync.completed'
        | 'catalog.updated'
        | 'job.updated'
        | 'visitor.erased'
        | 'project.created'
        | 'project.updated'
        | 'project.deleted'
        | 'environment.created'
        | 'environment.updated'
        | 'environment.deleted'
        | 'environment.sdk_key_created'
        | 'environment.sdk_key_revoked'
        | 'environment.ingest_key_created'
        | 'environment.ingest_key_revoked'
        | 'webhook.created'
        | 'webhook.updated'
        | 'webhook.deleted'
        | 'webhook.secret_rotated'
        | 'webhook.tested'
        | 'webhook.delivery_retried'
        | 'webhook.disabled'
        | 'destination.created'
        | 'destination.updated'
        | 'destination.deleted'
        | 'destination.tested'
        | 'destination.delivery_retried'
        | 'destination.disabled'
        | 'token.expiring'
        | 'webhook.test'
      )[]
      /** @description Sends only events of these environments, and events without an environment. Null: events of all environments. */
      environmentIds?: string[] | null
      /** @description Whether the destination gets the events of every project. Default: `false`. */
      allProjects?: boolean
      template?: components['schemas']['MessageTemplateInput']
      /**
       * @description When events are sent: at once, every hour, or once a day. Safety events never wait. Default: `"NONE"`.
       * @enum {string}
       */
      digest?: 'NONE' | 'HOURLY' | 'DAILY'
      /** @description Whether the destination keeps the quiet hours of the organization. Safety events never wait. Default: `true`. */
      quietHours?: boolean
    }
    NewGoogleChatDestination: {
      /** @constant */
      kind: 'GOOGLE_CHAT'
      config: components['schemas']['GoogleChatConfig']
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      events: (
        | 'experiment.created'
        | 'experiment.updated'
        | 'experiment.archived'
        | 'experiment.unarchived'
        | 'experiment.deleted'
        | 'experiment.launched'
        | 'experiment.paused'
        | 'experiment.resumed'
        | 'experiment.completed'
        | 'experiment.changes_published'
        | 'experiment.schedule_failed'
        | 'experiment.visual_changes.saved'
        | 'experiment.winner_declared'
        | 'experiment.results_ready'
        | 'experiment.srm_failed'
        | 'experiment.guardrail_breached'
        | 'experiment.guardrail_metric_breached'
        | 'experiment.code_error_detected'
        | 'flag.created'
        | 'flag.updated'
        | 'flag.archived'
        | 'flag.unarchived'
        | 'flag.deleted'
        | 'flag.published'
        | 'flag.rule_activated'
        | 'flag.schedule_updated'
        | 'flag.schedule_failed'
        | 'flag.srm_failed'
        | 'flag.guardrail_breached'
        | 'flag.results_ready'
        | 'audience.created'
        | 'audience.updated'
        | 'audience.deleted'
        | 'segment.created'
        | 'segment.updated'
        | 'segment.deleted'
        | 'metric.created'
        | 'metric.updated'
        | 'metric.deleted'
        | 'exclusion_group.created'
        | 'exclusion_group.updated'
        | 'exclusion_group.deleted'
        | 'holdout.created'
        | 'holdout.updated'
        | 'holdout.deleted'
        | 'catalog_source.created'
        | 'catalog_source.updated'
        | 'catalog_source.deleted'
        | 'dataset.created'
        | 'dataset.updated'
        | 'dataset.deleted'
        | 'recommendation_model.created'
        | 'recommendation_model.updated'
        | 'recommendation_model.deleted'
        | 'placement.created'
        | 'placement.updated'
        | 'placement.deleted'
        | 'commerce.import.completed'
        | 'commerce.job_failed'
        | 'recommendation.run.completed'
        | 'dataset.version.activated'
        | 'catalog.feed_sync.completed'
        | 'catalog.updated'
        | 'job.updated'
        | 'visitor.erased'
        | 'project.created'
        | 'project.updated'
        | 'project.deleted'
        | 'environment.created'
        | 'environment.updated'
        | 'environment.deleted'
        | 'environment.sdk_key_created'
        | 'environment.sdk_key_revoked'
        | 'environment.ingest_key_created'
        | 'environment.ingest_key_revoked'
        | 'webhook.created'
        | 'webhook.updated'
        | 'webhook.deleted'
        | 'webhook.secret_rotated'
        | 'webhook.tested'
        | 'webhook.delivery_retried'
        | 'webhook.disabled'
        | 'destination.created'
        | 'destination.updated'
        | 'destination.deleted'
        | 'destination.tested'
        | 'destination.delivery_retried'
        | 'destination.disabled'
        | 'token.expiring'
        | 'webhook.test'
      )[]
      /** @description Sends only events of these environments, and events without an environment. Null: events of all environments. */
      environmentIds?: string[] | null
      /** @description Whether the destination gets the events of every project. Default: `false`. */
      allProjects?: boolean
      template?: components['schemas']['MessageTemplateInput']
      /**
       * @description When events are sent: at once, every hour, or once a day. Safety events never wait. Default: `"NONE"`.
       * @enum {string}
       */
      digest?: 'NONE' | 'HOURLY' | 'DAILY'
      /** @description Whether the destination keeps the quiet hours of the organization. Safety events never wait. Default: `true`. */
      quietHours?: boolean
    }
    NewJiraDestination: {
      /** @constant */
      kind: 'JIRA'
      config: components['schemas']['JiraConfig']
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      events: (
        | 'experiment.created'
        | 'experiment.updated'
        | 'experiment.archived'
        | 'experiment.unarchived'
        | 'experiment.deleted'
        | 'experiment.launched'
        | 'experiment.paused'
        | 'experiment.resumed'
        | 'experiment.completed'
        | 'experiment.changes_published'
        | 'experiment.schedule_failed'
        | 'experiment.visual_changes.saved'
        | 'experiment.winner_declared'
        | 'experiment.results_ready'
        | 'experiment.srm_failed'
        | 'experiment.guardrail_breached'
        | 'experiment.guardrail_metric_breached'
        | 'experiment.code_error_detected'
        | 'flag.created'
        | 'flag.updated'
        | 'flag.archived'
        | 'flag.unarchived'
        | 'flag.deleted'
        | 'flag.published'
        | 'flag.rule_activated'
        | 'flag.schedule_updated'
        | 'flag.schedule_failed'
        | 'flag.srm_failed'
        | 'flag.guardrail_breached'
        | 'flag.results_ready'
        | 'audience.created'
        | 'audience.updated'
        | 'audience.deleted'
        | 'segment.created'
        | 'segment.updated'
        | 'segment.deleted'
        | 'metric.created'
        | 'metric.updated'
        | 'metric.deleted'
        | 'exclusion_group.created'
        | 'exclusion_group.updated'
        | 'exclusion_group.deleted'
        | 'holdout.created'
        | 'holdout.updated'
        | 'holdout.deleted'
        | 'catalog_source.created'
        | 'catalog_source.updated'
        | 'catalog_source.deleted'
        | 'dataset.created'
        | 'dataset.updated'
        | 'dataset.deleted'
        | 'recommendation_model.created'
        | 'recommendation_model.updated'
        | 'recommendation_model.deleted'
        | 'placement.created'
        | 'placement.updated'
        | 'placement.deleted'
        | 'commerce.import.completed'
        | 'commerce.job_failed'
        | 'recommendation.run.completed'
        | 'dataset.version.activated'
        | 'catalog.feed_sync.completed'
        | 'catalog.updated'
        | 'job.updated'
        | 'visitor.erased'
        | 'project.created'
        | 'project.updated'
        | 'project.deleted'
        | 'environment.created'
        | 'environment.updated'
        | 'environment.deleted'
        | 'environment.sdk_key_created'
        | 'environment.sdk_key_revoked'
        | 'environment.ingest_key_created'
        | 'environment.ingest_key_revoked'
        | 'webhook.created'
        | 'webhook.updated'
        | 'webhook.deleted'
        | 'webhook.secret_rotated'
        | 'webhook.tested'
        | 'webhook.delivery_retried'
        | 'webhook.disabled'
        | 'destination.created'
        | 'destination.updated'
        | 'destination.deleted'
        | 'destination.tested'
        | 'destination.delivery_retried'
        | 'destination.disabled'
        | 'token.expiring'
        | 'webhook.test'
      )[]
      /** @description Sends only events of these environments, and events without an environment. Null: events of all environments. */
      environmentIds?: string[] | null
      /** @description Whether the destination gets the events of every project. Default: `false`. */
      allProjects?: boolean
      template?: components['schemas']['MessageTemplateInput']
      /**
       * @description When events are sent: at once, every hour, or once a day. Safety events never wait. Default: `"NONE"`.
       * @enum {string}
       */
      digest?: 'NONE' | 'HOURLY' | 'DAILY'
      /** @description Whether the destination keeps the quiet hours of the organization. Safety events never wait. Default: `true`. */
      quietHours?: boolean
    }
    NewLinearDestination: {
      /** @constant */
      kind: 'LINEAR'
      config: components['schemas']['LinearConfig']
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      events: (
        | 'experiment.created'
        | 'experiment.updated'
        | 'experiment.archived'
        | 'experiment.unarchived'
        | 'experiment.deleted'
        | 'experiment.launched'
        | 'experiment.paused'
        | 'experiment.resumed'
        | 'experiment.completed'
        | 'experiment.changes_published'
        | 'experiment.schedule_failed'
        | 'experiment.visual_changes.saved'
        | 'experiment.winner_declared'
        | 'experiment.results_ready'
        | 'experiment.srm_failed'
        | 'experiment.guardrail_breached'
        | 'experiment.guardrail_metric_breached'
        | 'experiment.code_error_detected'
        | 'flag.created'
        | 'flag.updated'
        | 'flag.archived'
        | 'flag.unarchived'
        | 'flag.deleted'
        | 'flag.published'
        | 'flag.rule_activated'
        | 'flag.schedule_updated'
        | 'flag.schedule_failed'
        | 'flag.srm_failed'
        | 'flag.guardrail_breached'
        | 'flag.results_ready'
        | 'audience.created'
        | 'audience.updated'
        | 'audience.deleted'
        | 'segment.created'
        | 'segment.updated'
        | 'segment.deleted'
        | 'metric.created'
        | 'metric.updated'
        | 'metric.deleted'
        | 'exclusion_group.created'
        | 'exclusion_group.updated'
        | 'exclusion_group.deleted'
        | 'holdout.created'
        | 'holdout.updated'
        | 'holdout.deleted'
        | 'catalog_source.created'
        | 'catalog_source.updated'
        | 'catalog_source.deleted'
        | 'dataset.created'
        | 'dataset.updated'
        | 'dataset.deleted'
        | 'recommendation_model.created'
        | 'recommendation_model.updated'
        | 'recommendation_model.deleted'
        | 'placement.created'
        | 'placement.updated'
        | 'placement.deleted'
        | 'commerce.import.completed'
        | 'commerce.job_failed'
        | 'recommendation.run.completed'
        | 'dataset.version.activated'
        | 'catalog.feed_sync.completed'
        | 'catalog.updated'
        | 'job.updated'
        | 'visitor.erased'
        | 'project.created'
        | 'project.updated'
        | 'project.deleted'
        | 'environment.created'
        | 'environment.updated'
        | 'environment.deleted'
        | 'environment.sdk_key_created'
        | 'environment.sdk_key_revoked'
        | 'environment.ingest_key_created'
        | 'environment.ingest_key_revoked'
        | 'webhook.created'
        | 'webhook.updated'
        | 'webhook.deleted'
        | 'webhook.secret_rotated'
        | 'webhook.tested'
        | 'webhook.delivery_retried'
        | 'webhook.disabled'
        | 'destination.created'
        | 'destination.updated'
        | 'destination.deleted'
        | 'destination.tested'
        | 'destination.delivery_retried'
        | 'destination.disabled'
        | 'token.expiring'
        | 'webhook.test'
      )[]
      /** @description Sends only events of these environments, and events without an environment. Null: events of all environments. */
      environmentIds?: string[] | null
      /** @description Whether the destination gets the events of every project. Default: `false`. */
      allProjects?: boolean
      template?: components['schemas']['MessageTemplateInput']
      /**
       * @description When events are sent: at once, every hour, or once a day. Safety events never wait. Default: `"NONE"`.
       * @enum {string}
       */
      digest?: 'NONE' | 'HOURLY' | 'DAILY'
      /** @description Whether the destination keeps the quiet hours of the organization. Safety events never wait. Default: `true`. */
      quietHours?: boolean
    }
    NewGithubDestination: {
      /** @constant */
      kind: 'GITHUB'
      config: components['schemas']['GithubConfig']
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      events: (
        | 'experiment.created'
        | 'experiment.updated'
        | 'experiment.archived'
        | 'experiment.unarchived'
        | 'experiment.deleted'
        | 'experiment.launched'
        | 'experiment.paused'
        | 'experiment.resumed'
        | 'experiment.completed'
        | 'experiment.changes_published'
        | 'experiment.schedule_failed'
        | 'experiment.visual_changes.saved'
        | 'experiment.winner_declared'
        | 'experiment.results_ready'
        | 'experiment.srm_failed'
        | 'experiment.guardrail_breached'
        | 'experiment.guardrail_metric_breached'
        | 'experiment.code_error_detected'
        | 'flag.created'
        | 'flag.updated'
        | 'flag.archived'
        | 'flag.unarchived'
        | 'flag.deleted'
        | 'flag.published'
        | 'flag.rule_activated'
        | 'flag.schedule_updated'
        | 'flag.schedule_failed'
        | 'flag.srm_failed'
        | 'flag.guardrail_breached'
        | 'flag.results_ready'
        | 'audience.created'
        | 'audience.updated'
        | 'audience.deleted'
        | 'segment.created'
        | 'segment.updated'
        | 'segment.deleted'
        | 'metric.created'
        | 'metric.updated'
        | 'metric.deleted'
        | 'exclusion_group.created'
        | 'exclusion_group.updated'
        | 'exclusion_group.deleted'
        | 'holdout.created'
        | 'holdout.updated'
        | 'holdout.deleted'
        | 'catalog_source.created'
        | 'catalog_source.updated'
        | 'catalog_source.deleted'
        | 'dataset.created'
        | 'dataset.updated'
        | 'dataset.deleted'
        | 'recommendation_model.created'
        | 'recommendation_model.updated'
        | 'recommendation_model.deleted'
        | 'placement.created'
        | 'placement.updated'
        | 'placement.deleted'
        | 'commerce.import.completed'
        | 'commerce.job_failed'
        | 'recommendation.run.completed'
        | 'dataset.version.activated'
        | 'catalog.feed_sync.completed'
        | 'catalog.updated'
        | 'job.updated'
        | 'visitor.erased'
        | 'project.created'
        | 'project.updated'
        | 'project.deleted'
        | 'environment.created'
        | 'environment.updated'
        | 'environment.deleted'
        | 'environment.sdk_key_created'
        | 'environment.sdk_key_revoked'
        | 'environment.ingest_key_created'
        | 'environment.ingest_key_revoked'
        | 'webhook.created'
        | 'webhook.updated'
        | 'webhook.deleted'
        | 'webhook.secret_rotated'
        | 'webhook.tested'
        | 'webhook.delivery_retried'
        | 'webhook.disabled'
        | 'destination.created'
        | 'destination.updated'
        | 'destination.deleted'
        | 'destination.tested'
        | 'destination.delivery_retried'
        | 'destination.disabled'
        | 'token.expiring'
        | 'webhook.test'
      )[]
      /** @description Sends only events of these environments, and events without an environment. Null: events of all environments. */
      environmentIds?: string[] | null
      /** @description Whether the destination gets the events of every project. Default: `false`. */
      allProjects?: boolean
      template?: components['schemas']['MessageTemplateInput']
      /**
       * @description When events are sent: at once, every hour, or once a day. Safety events never wait. Default: `"NONE"`.
       * @enum {string}
       */
      digest?: 'NONE' | 'HOURLY' | 'DAILY'
      /** @description Whether the destination keeps the quiet hours of the organization. Safety events never wait. Default: `true`. */
      quietHours?: boolean
    }
    NewPagerdutyDestination: {
      /** @constant */
      kind: 'PAGERDUTY'
      config: components['schemas']['PagerdutyConfig']
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      events: (
        | 'experiment.created'
        | 'experiment.updated'
        | 'experiment.archived'
        | 'experiment.unarchived'
        | 'experiment.deleted'
        | 'experiment.launched'
        | 'experiment.paused'
        | 'experiment.resumed'
        | 'experiment.completed'
        | 'experiment.changes_published'
        | 'experiment.schedule_failed'
        | 'experiment.visual_changes.saved'
        | 'experiment.winner_declared'
        | 'experiment.results_ready'
        | 'experiment.srm_failed'
        | 'experiment.guardrail_breached'
        | 'experiment.guardrail_metric_breached'
        | 'experiment.code_error_detected'
        | 'flag.created'
        | 'flag.updated'
        | 'flag.archived'
        | 'flag.unarchived'
        | 'flag.deleted'
        | 'flag.published'
        | 'flag.rule_activated'
        | 'flag.schedule_updated'
        | 'flag.schedule_failed'
        | 'flag.srm_failed'
        | 'flag.guardrail_breached'
        | 'flag.results_ready'
        | 'audience.created'
        | 'audience.updated'
        | 'audience.deleted'
        | 'segment.created'
        | 'segment.updated'
        | 'segment.deleted'
        | 'metric.created'
        | 'metric.updated'
        | 'metric.deleted'
        | 'exclusion_group.created'
        | 'exclusion_group.updated'
        | 'exclusion_group.deleted'
        | 'holdout.created'
        | 'holdout.updated'
        | 'holdout.deleted'
        | 'catalog_source.created'
        | 'catalog_source.updated'
        | 'catalog_source.deleted'
        | 'dataset.created'
        | 'dataset.updated'
        | 'dataset.deleted'
        | 'recommendation_model.created'
        | 'recommendation_model.updated'
        | 'recommendation_model.deleted'
        | 'placement.created'
        | 'placement.updated'
        | 'placement.deleted'
        | 'commerce.import.completed'
        | 'commerce.job_failed'
        | 'recommendation.run.completed'
        | 'dataset.version.activated'
        | 'catalog.feed_sync.completed'
        | 'catalog.updated'
        | 'job.updated'
        | 'visitor.erased'
        | 'project.created'
        | 'project.updated'
        | 'project.deleted'
        | 'environment.created'
        | 'environment.updated'
        | 'environment.deleted'
        | 'environment.sdk_key_created'
        | 'environment.sdk_key_revoked'
        | 'environment.ingest_key_created'
        | 'environment.ingest_key_revoked'
        | 'webhook.created'
        | 'webhook.updated'
        | 'webhook.deleted'
        | 'webhook.secret_rotated'
        | 'webhook.tested'
        | 'webhook.delivery_retried'
        | 'webhook.disabled'
        | 'destination.created'
        | 'destination.updated'
        | 'destination.deleted'
        | 'destination.tested'
        | 'destination.delivery_retried'
        | 'destination.disabled'
        | 'token.expiring'
        | 'webhook.test'
      )[]
      /** @description Sends only events of these environments, and events without an environment. Null: events of all environments. */
      environmentIds?: string[] | null
      /** @description Whether the destination gets the events of every project. Default: `false`. */
      allProjects?: boolean
      template?: components['schemas']['MessageTemplateInput']
      /**
       * @description When events are sent: at once, every hour, or once a day. Safety events never wait. Default: `"NONE"`.
       * @enum {string}
       */
      digest?: 'NONE' | 'HOURLY' | 'DAILY'
      /** @description Whether the destination keeps the quiet hours of the organization. Safety events never wait. Default: `true`. */
      quietHours?: boolean
    }
    NewEmailDestination: {
      /** @constant */
      kind: 'EMAIL'
      config: components['schemas']['EmailConfig']
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      events: (
        | 'experiment.created'
        | 'experiment.updated'
        | 'experiment.archived'
        | 'experiment.unarchived'
        | 'experiment.deleted'
        | 'experiment.launched'
        | 'experiment.paused'
        | 'experiment.resumed'
        | 'experiment.completed'
        | 'experiment.changes_published'
        | 'experiment.schedule_failed'
        | 'experiment.visual_changes.saved'
        | 'experiment.winner_declared'
        | 'experiment.results_ready'
        | 'experiment.srm_failed'
        | 'experiment.guardrail_breached'
        | 'experiment.guardrail_metric_breached'
        | 'experiment.code_error_detected'
        | 'flag.created'
        | 'flag.updated'
        | 'flag.archived'
        | 'flag.unarchived'
        | 'flag.deleted'
        | 'flag.published'
        | 'flag.rule_activated'
        | 'flag.schedule_updated'
        | 'flag.schedule_failed'
        | 'flag.srm_failed'
        | 'flag.guardrail_breached'
        | 'flag.results_ready'
        | 'audience.created'
        | 'audience.updated'
        | 'audience.deleted'
        | 'segment.created'
        | 'segment.updated'
        | 'segment.deleted'
        | 'metric.created'
        | 'metric.updated'
        | 'metric.deleted'
        | 'exclusion_group.created'
        | 'exclusion_group.updated'
        | 'exclusion_group.deleted'
        | 'holdout.created'
        | 'holdout.updated'
        | 'holdout.deleted'
        | 'catalog_source.created'
        | 'catalog_source.updated'
        | 'catalog_source.deleted'
        | 'dataset.created'
        | 'dataset.updated'
        | 'dataset.deleted'
        | 'recommendation_model.created'
        | 'recommendation_model.updated'
        | 'recommendation_model.deleted'
        | 'placement.created'
        | 'placement.updated'
        | 'placement.deleted'
        | 'commerce.import.completed'
        | 'commerce.job_failed'
        | 'recommendation.run.completed'
        | 'dataset.version.activated'
        | 'catalog.feed_sync.completed'
        | 'catalog.updated'
        | 'job.updated'
        | 'visitor.erased'
        | 'project.created'
        | 'project.updated'
        | 'project.deleted'
        | 'environment.created'
        | 'environment.updated'
        | 'environment.deleted'
        | 'environment.sdk_key_created'
        | 'environment.sdk_key_revoked'
        | 'environment.ingest_key_created'
        | 'environment.ingest_key_revoked'
        | 'webhook.created'
        | 'webhook.updated'
        | 'webhook.deleted'
        | 'webhook.secret_rotated'
        | 'webhook.tested'
        | 'webhook.delivery_retried'
        | 'webhook.disabled'
        | 'destination.created'
        | 'destination.updated'
        | 'destination.deleted'
        | 'destination.tested'
        | 'destination.delivery_retried'
        | 'destination.disabled'
        | 'token.expiring'
        | 'webhook.test'
      )[]
      /** @description Sends only events of these environments, and events without an environment. Null: events of all environments. */
      environmentIds?: string[] | null
      /** @description Whether the destination gets the events of every project. Default: `false`. */
      allProjects?: boolean
      template?: components['schemas']['MessageTemplateInput']
      /**
       * @description When events are sent: at once, every hour, or once a day. Safety events never wait. Default: `"NONE"`.
       * @enum {string}
       */
      digest?: 'NONE' | 'HOURLY' | 'DAILY'
      /** @description Whether the destination keeps the quiet hours of the organization. Safety events never wait. Default: `true`. */
      quietHours?: boolean
    }
    NewTemplateDestination: {
      /** @constant */
      kind: 'TEMPLATE'
      config: components['schemas']['TemplateConfig']
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      events: (
        | 'experiment.created'
        | 'experiment.updated'
        | 'experiment.archived'
        | 'experiment.unarchived'
        | 'experiment.deleted'
        | 'experiment.launched'
        | 'experiment.paused'
        | 'experiment.resumed'
        | 'experiment.completed'
        | 'experiment.changes_published'
        | 'experiment.schedule_failed'
        | 'experiment.visual_changes.saved'
        | 'experiment.winner_declared'
        | 'experiment.results_ready'
        | 'experiment.srm_failed'
        | 'experiment.guardrail_breached'
        | 'experiment.guardrail_metric_breached'
        | 'experiment.code_error_detected'
        | 'flag.created'
        | 'flag.updated'
        | 'flag.archived'
        | 'flag.unarchived'
        | 'flag.deleted'
        | 'flag.published'
        | 'flag.rule_activated'
        | 'flag.schedule_updated'
        | 'flag.schedule_failed'
        | 'flag.srm_failed'
        | 'flag.guardrail_breached'
        | 'flag.results_ready'
        | 'audience.created'
        | 'audience.updated'
        | 'audience.deleted'
        | 'segment.created'
        | 'segment.updated'
        | 'segment.deleted'
        | 'metric.created'
        | 'metric.updated'
        | 'metric.deleted'
        | 'exclusion_group.created'
        | 'exclusion_group.updated'
        | 'exclusion_group.deleted'
        | 'holdout.created'
        | 'holdout.updated'
        | 'holdout.deleted'
        | 'catalog_source.created'
        | 'catalog_source.updated'
        | 'catalog_source.deleted'
        | 'dataset.created'
        | 'dataset.updated'
        | 'dataset.deleted'
        | 'recommendation_model.created'
        | 'recommendation_model.updated'
        | 'recommendation_model.deleted'
        | 'placement.created'
        | 'placement.updated'
        | 'placement.deleted'
        | 'commerce.import.completed'
        | 'commerce.job_failed'
        | 'recommendation.run.completed'
        | 'dataset.version.activated'
        | 'catalog.feed_sync.completed'
        | 'catalog.updated'
        | 'job.updated'
        | 'visitor.erased'
        | 'project.created'
        | 'project.updated'
        | 'project.deleted'
        | 'environment.created'
        | 'environment.updated'
        | 'environment.deleted'
        | 'environment.sdk_key_created'
        | 'environment.sdk_key_revoked'
        | 'environment.ingest_key_created'
        | 'environment.ingest_key_revoked'
        | 'webhook.created'
        | 'webhook.updated'
        | 'webhook.deleted'
        | 'webhook.secret_rotated'
        | 'webhook.tested'
        | 'webhook.delivery_retried'
        | 'webhook.disabled'
        | 'destination.created'
        | 'destination.updated'
        | 'destination.deleted'
        | 'destination.tested'
        | 'destination.delivery_retried'
        | 'destination.disabled'
        | 'token.expiring'
        | 'webhook.test'
      )[]
      /** @description Sends only events of these environments, and events without an environment. Null: events of all environments. */
      environmentIds?: string[] | null
      /** @description Whether the destination gets the events of every project. Default: `false`. */
      allProjects?: boolean
      template?: components['schemas']['MessageTemplateInput']
      /**
       * @description When events are sent: at once, every hour, or once a day. Safety events never wait. Default: `"NONE"`.
       * @enum {string}
       */
      digest?: 'NONE' | 'HOURLY' | 'DAILY'
      /** @description Whether the destination keeps the quiet hours of the organization. Safety events never wait. Default: `true`. */
      quietHours?: boolean
    }
    Destination: {
      id: string
      projectId: string
      orgId: string
      key: string
      name: string
      /** @enum {string} */
      kind:
        | 'SLACK'
        | 'TEAMS'
        | 'DISCORD'
        | 'GOOGLE_CHAT'
        | 'JIRA'
        | 'LINEAR'
        | 'GITHUB'
        | 'PAGERDUTY'
        | 'EMAIL'
        | 'TEMPLATE'
      /** @description Secrets are replaced by their last characters. */
      config: {
        [key: string]: unknown
      }
      events: string[]
      environmentIds: string[] | null
      allProjects: boolean
      template: components['schemas']['MessageTemplate']
      /**
       * @description When events are sent: at once, every hour, or once a day. Safety events never wait.
       * @enum {string}
       */
      digest: 'NONE' | 'HOURLY' | 'DAILY'
      quietHours: boolean
      enabled: boolean
      disabledAt: string | null
      disableReason: string | null
      consecutiveFailures: number
      /** @description How many deliveries are being retried, counted up to 100. A delivery counts as failed only after its last attempt. */
      retrying: number
      /** @description Until when deliveries wait, because the receiver asked for a pause. */
      heldUntil: string | null
      /** @description For the kind EMAIL: addresses that do not get mail yet, because they belong to no member and have not confirmed. */
      unconfirmed: string[]
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
    }
    SavedDestination: {
      id: string
      projectId: string
      orgId: string
      key: string
      name: string
      /** @enum {string} */
      kind:
        | 'SLACK'
        | 'TEAMS'
        | 'DISCORD'
        | 'GOOGLE_CHAT'
        | 'JIRA'
        | 'LINEAR'
        | 'GITHUB'
        | 'PAGERDUTY'
        | 'EMAIL'
        | 'TEMPLATE'
      /** @description Secrets are replaced by their last characters. */
      config: {
        [key: string]: unknown
      }
      events: string[]
      environmentIds: string[] | null
      allProjects: boolean
      template: components['schemas']['MessageTemplate']
      /**
       * @description When events are sent: at once, every hour, or once a day. Safety events never wait.
       * @enum {string}
       */
      digest: 'NONE' | 'HOURLY' | 'DAILY'
      quietHours: boolean
      enabled: boolean
      disabledAt: string | null
      disableReason: string | null
      consecutiveFailures: number
      /** @description How many deliveries are being retried, counted up to 100. A delivery counts as failed only after its last attempt. */
      retrying: number
      /** @description Until when deliveries wait, because the receiver asked for a pause. */
      heldUntil: string | null
      /** @description For the kind EMAIL: addresses that do not get mail yet, because they belong to no member and have not confirmed. */
      unconfirmed: string[]
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
      /** @description For the kind TEMPLATE with a signature: the signing secret, shown when it is created. Null in a repeated answer. */
      secret: string | null
    }
    OpenTicket: {
      /** @enum {string} */
      kind:
        | 'SLACK'
        | 'TEAMS'
        | 'DISCORD'
        | 'GOOGLE_CHAT'
        | 'JIRA'
        | 'LINEAR'
        | 'GITHUB'
        | 'PAGERDUTY'
        | 'EMAIL'
        | 'TEMPLATE'
      /** @description The name of the ticket, such as `OPS-7`. Null for an alarm. */
      name: string | null
      /** @description The address of the ticket. Null if the vendor gives none. */
      url: string | null
      /** @description The event that created the ticket. */
      event: string
      /**
       * Format: date-time
       * @description When Svc last wrote to the ticket.
       */
      toldAt: string
    }
    DestinationPreview: {
      event: string
      /** @description Null: the preview uses an example, because no such event has happened. */
      eventId: string | null
      /** @description The content of the event, before the kind of the destination formats it. */
      message: components['schemas']['DestinationPreviewMessage']
      /** @description What would be sent, without secrets. Null: this kind sends nothing for this event. */
      request: components['schemas']['DestinationPreviewRequest'] | null
    }
    MySubscriptions: {
      /** @description False: the service sends no mail, because SVC_SMTP_URL is not set. */
      sendsMail: boolean
      /** @description Where the mail goes: the address of the account. */
      email: string
      /** @description What you get for a project without a choice. */
      byRole: 'SAFETY' | string[]
      subscriptions: components['schemas']['MySubscriptionsSubscription'][]
    }
    Mailing: {
      /** @description The address that this mail no longer goes to. */
      email: string
      organization: string
      project: string
      /** @description Null: the person’s own mail notifications of the project. */
      destination: string | null
      /** @description Whether this mail has already ended. */
      isOver: boolean
    }
    Webhook: {
      id: string
      projectId: string
      orgId: string
      key: string
      name: string
      url: string
      events: string[]
      enabled: boolean
      disabledAt: string | null
      disableReason: string | null
      consecutiveFailures: number
      /** @description How many deliveries are being retried, counted up to 100. A delivery counts as failed only after its last attempt. */
      retrying: number
      /** @description How long each retry of a delivery waits after the previous attempt. The operator sets this. */
      retryDelaysMs: number[]
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
    }
    CreatedWebhook: {
      id: string
      projectId: string
      orgId: string
      key: string
      name: string
      url: string
      events: string[]
      enabled: boolean
      disabledAt: string | null
      disableReason: string | null
      consecutiveFailures: number
      /** @description How many deliveries are being retried, counted up to 100. A delivery counts as failed only after its last attempt. */
      retrying: number
      /** @description How long each retry of a delivery waits after the previous attempt. The operator sets this. */
      retryDelaysMs: number[]
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      updatedAt: string
      /** @description Shown once. Null in a repeated answer. */
      secret: string | null
    }
    RotatedSecret: {
      /** @description Shown once. Null in a repeated answer. */
      secret: string | null
    }
    ExperimentResultsOverTime: {
      ruleId: string
      /** @description Null for a WEB experiment. */
      flagId: string | null
      envId: string
      /** @enum {string} */
      ruleType: 'TARGETED_DELIVERY' | 'AB_TEST'
      /** @enum {string} */
      ruleStatus: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED'
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      generatedAt: string
      dataThrough: string | null
      startedAt: string | null
      /** @description When the test ended: its experiment was completed, or a rule without an experiment was paused. Null before. */
      endedAt: string | null
      runtimeDays: number
      engineVersion: string
      settings: components['schemas']['ResultsSettings'] | null
      units: components['schemas']['ResultsUnits']
      health: {
        /** @enum {string} */
        status: 'NOT_MEASURED' | 'NOT_ENOUGH_DATA' | 'OK' | 'WARNING' | 'FAILED'
        checks: components['schemas']['HealthCheck'][]
      }
      metrics: components['schemas']['MetricResult'][]
      /** @description What could not be computed, as far as known. These parts have no figures, all others are right, and the check `COMPUTATION` fails. Absent if everything was computed. */
      setAside?: {
        /** @enum {string} */
        kind: 'METRIC' | 'DIMENSION'
        /** @description The key of the metric, or the name of the dimension. */
        name: string
      }[]
      /** @description The names that `dimension` can have. */
      dimensions: string[]
      progress: components['schemas']['ResultsProgress'] | null
      recommendation: components['schemas']['ResultsRecommendation'] | null
      /** @description The 20 values with the most visitors, by the first exposure of each visitor, and the remaining visitors: the rows add up to all visitors. Present with `dimension`. These figures are exploratory: their p-values are corrected together, and no recommendation follows. */
      dimension?: components['schemas']['Dimension']
      /**
       * @description One row per day, with the results as they were shown then. Present with `include=timeseries`.
       * @example [
       *       {
       *         "asOf": "2026-11-20T00:00:00.000Z",
       *         "metrics": []
       *       }
       *     ]
       */
      timeseries?: {
        /**
         * Format: date-time
         * @description ISO 8601 in UTC with milliseconds.
         */
        asOf: string
        metrics: components['schemas']['MetricResult'][]
      }[]
      experimentId: string
      winner: components['schemas']['Winner'] | null
      /** @description The phases of the experiment. A phase begins when visitors get a different variation. Results of different phases are never pooled. */
      phases: components['schemas']['ExperimentPhase'][]
    }
    RefreshedExperimentResults: {
      ruleId: string
      /** @description Null for a WEB experiment. */
      flagId: string | null
      envId: string
      /** @enum {string} */
      ruleType: 'TARGETED_DELIVERY' | 'AB_TEST'
      /** @enum {string} */
      ruleStatus: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED'
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      generatedAt: string
      dataThrough: string | null
      startedAt: string | null
      /** @description When the test ended: its experiment was completed, or a rule without an experiment was paused. Null before. */
      endedAt: string | null
      runtimeDays: number
      engineVersion: string
      settings: components['schemas']['ResultsSettings'] | null
      units: components['schemas']['ResultsUnits']
      health: {
        /** @enum {string} */
        status: 'NOT_MEASURED' | 'NOT_ENOUGH_DATA' | 'OK' | 'WARNING' | 'FAILED'
        checks: components['schemas']['HealthCheck'][]
      }
      metrics: components['schemas']['MetricResult'][]
      /** @description What could not be computed, as far as known. These parts have no figures, all others are right, and the check `COMPUTATION` fails. Absent if everything was computed. */
      setAside?: {
        /** @enum {string} */
        kind: 'METRIC' | 'DIMENSION'
        /** @description The key of the metric, or the name of the dimension. */
        name: string
      }[]
      /** @description The names that `dimension` can have. */
      dimensions: string[]
      progress: components['schemas']['ResultsProgress'] | null
      recommendation: components['schemas']['ResultsRecommendation'] | null
      /** @description Whether the computation is still running. */
      refreshing: boolean
      experimentId: string
      winner: components['schemas']['Winner'] | null
      /** @description The phases of the experiment. A phase begins when visitors get a different variation. Results of different phases are never pooled. */
      phases: components['schemas']['ExperimentPhase'][]
    }
    ResultsOverTime: {
      ruleId: string
      flagId: string
      envId: string
      /** @enum {string} */
      ruleType: 'TARGETED_DELIVERY' | 'AB_TEST'
      /** @enum {string} */
      ruleStatus: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED'
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      generatedAt: string
      dataThrough: string | null
      startedAt: string | null
      /** @description When the test ended: its experiment was completed, or a rule without an experiment was paused. Null before. */
      endedAt: string | null
      runtimeDays: number
      engineVersion: string
      settings: components['schemas']['ResultsSettings'] | null
      units: components['schemas']['ResultsUnits']
      health: {
        /** @enum {string} */
        status: 'NOT_MEASURED' | 'NOT_ENOUGH_DATA' | 'OK' | 'WARNING' | 'FAILED'
        checks: components['schemas']['HealthCheck'][]
      }
      metrics: components['schemas']['MetricResult'][]
      /** @description What could not be computed, as far as known. These parts have no figures, all others are right, and the check `COMPUTATION` fails. Absent if everything was computed. */
      setAside?: {
        /** @enum {string} */
        kind: 'METRIC' | 'DIMENSION'
        /** @description The key of the metric, or the name of the dimension. */
        name: string
      }[]
      /** @description The names that `dimension` can have. */
      dimensions: string[]
      progress: components['schemas']['ResultsProgress'] | null
      recommendation: components['schemas']['ResultsRecommendation'] | null
      /** @description The 20 values with the most visitors, by the first exposure of each visitor, and the remaining visitors: the rows add up to all visitors. Present with `dimension`. These figures are exploratory: their p-values are corrected together, and no recommendation follows. */
      dimension?: components['schemas']['Dimension']
      /**
       * @description One row per day, with the results as they were shown then. Present with `include=timeseries`.
       * @example [
       *       {
       *         "asOf": "2026-11-20T00:00:00.000Z",
       *         "metrics": []
       *       }
       *     ]
       */
      timeseries?: {
        /**
         * Format: date-time
         * @description ISO 8601 in UTC with milliseconds.
         */
        asOf: string
        metrics: components['schemas']['MetricResult'][]
      }[]
    }
    RefreshedResults: {
      ruleId: string
      flagId: string
      envId: string
      /** @enum {string} */
      ruleType: 'TARGETED_DELIVERY' | 'AB_TEST'
      /** @enum {string} */
      ruleStatus: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED'
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      generatedAt: string
      dataThrough: string | null
      startedAt: string | null
      /** @description When the test ended: its experiment was completed, or a rule without an experiment was paused. Null before. */
      endedAt: string | null
      runtimeDays: number
      engineVersion: string
      settings: components['schemas']['ResultsSettings'] | null
      units: components['schemas']['ResultsUnits']
      health: {
        /** @enum {string} */
        status: 'NOT_MEASURED' | 'NOT_ENOUGH_DATA' | 'OK' | 'WARNING' | 'FAILED'
        checks: components['schemas']['HealthCheck'][]
      }
      metrics: components['schemas']['MetricResult'][]
      /** @description What could not be computed, as far as known. These parts have no figures, all others are right, and the check `COMPUTATION` fails. Absent if everything was computed. */
      setAside?: {
        /** @enum {string} */
        kind: 'METRIC' | 'DIMENSION'
        /** @description The key of the metric, or the name of the dimension. */
        name: string
      }[]
      /** @description The names that `dimension` can have. */
      dimensions: string[]
      progress: components['schemas']['ResultsProgress'] | null
      recommendation: components['schemas']['ResultsRecommendation'] | null
      /** @description Whether the computation is still running. */
      refreshing: boolean
    }
    MeOrganization: {
      id: string
      shortId: number
      name: string
    }
    MeUser: {
      id: string
      name: string
      email: string
    }
    EnvironmentSdk: {
      type: string
      version: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      lastSeenAt: string
      instances: number
    }
    EnvironmentDataFile: {
      /** Format: uri */
      url: string
      revision: number
      etag: string
      publishedAt: string | null
    }
    PropagationInstances: {
      confirmed: number
      behind: number
      silent: number
      untold: number
    }
    PropagationBehind: {
      instanceId: string
      sdkType: string
      sdkVersion: string
      revision: number
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      since: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      lastSeenAt: string
    }
    PropagationTook: {
      p50Ms: number
      p99Ms: number
      lastMs: number
      instances: number
    }
    SdkKeyClient: {
      type: string
      version: string
      instances: number
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      lastSeenAt: string
    }
    ResultsDigestRecommendationBreached: {
      metricId: string
      name: string
      variationId: string
    }
    JobSource: {
      /** @constant */
      type: 'commerce'
      id: string
      name: string
    }
    JobProgress: {
      step: string
      done: number
      of: number | null
    }
    OrderEventOrderItem: {
      itemId: string | number
      quantity: number
      /** @description Of one piece. */
      price: string | number
    }
    OrderEventOrder: {
      /** @description The id that the shop has given it, a text or a whole number. Of an id, the first order counts; others are duplicates. */
      orderId: string | number
      /** @description A code of ISO 4217 in capital letters. */
      currency: string
      /** @description What the visitor pays, with taxes and shipping. Amounts are decimal texts or numbers with at most 4 decimals. */
      total: string | number
      tax?: string | number
      shipping?: string | number
      /** @description What was taken off. It is not in `total`. */
      discount?: string | number
      items: components['schemas']['OrderEventOrderItem'][]
    }
    EventsAnswerRejected: {
      /** @description The place of the event in the request, counted from 0. */
      index: number
      /** @enum {string} */
      code:
        | 'validation_failed'
        | 'unsupported_type'
        | 'ingest_key_required'
        | 'unknown_rule'
        | 'unknown_variation'
        | 'other_variation'
      message: string
    }
    OrderReporting: {
      currency: string
      /** @description What one unit of the currency of the order was worth when it arrived. */
      rate: string
      /**
       * @description `(total − shipping − refunded) · (total − tax) / total`, at least 0, in this currency.
       * @example 19.99
       */
      revenue: string
      /** @description Revenue minus costs; null if the cost of an item was unknown. */
      margin: string | null
    }
    OrderItem: {
      itemId: string
      /** @description Null if the catalog did not know the item. */
      productId: string | null
      quantity: number
      refundedQuantity: number
      /**
       * @description Of one piece.
       * @example 19.99
       */
      price: string
      /** @description Of one piece, as it was known when the order arrived. */
      cost: string | null
    }
    OrderSummaryDay: {
      /**
       * Format: date
       * @example 2026-11-20
       */
      date: string
      /** @description Orders that count, without cancelled ones. */
      orders: number
      /**
       * @description A decimal text with two to four decimals.
       * @example 19.99
       */
      revenue: string
      /**
       * @description Of the orders whose margin is known.
       * @example 19.99
       */
      margin: string
      /** @description Revenue of an order with a rate; null without any. */
      averageOrder: string | null
      /**
       * @description A decimal text with two to four decimals.
       * @example 19.99
       */
      refunded: string
      cancelled: number
      /** @description Orders that count and have no visitor, so no test counts them. */
      unattributed: number
      /** @description Orders that count and have no rate, so they are not in amounts. */
      unconverted: number
      /** @description Orders that count and whose margin is unknown. */
      withoutMargin: number
      /** @description Orders that do not count, because no import knows them. */
      unconfirmed: number
    }
    OrderSummaryTotal: {
      /** @description Orders that count, without cancelled ones. */
      orders: number
      /**
       * @description A decimal text with two to four decimals.
       * @example 19.99
       */
      revenue: string
      /**
       * @description Of the orders whose margin is known.
       * @example 19.99
       */
      margin: string
      /** @description Revenue of an order with a rate; null without any. */
      averageOrder: string | null
      /**
       * @description A decimal text with two to four decimals.
       * @example 19.99
       */
      refunded: string
      cancelled: number
      /** @description Orders that count and have no visitor, so no test counts them. */
      unattributed: number
      /** @description Orders that count and have no rate, so they are not in amounts. */
      unconverted: number
      /** @description Orders that count and whose margin is unknown. */
      withoutMargin: number
      /** @description Orders that do not count, because no import knows them. */
      unconfirmed: number
    }
    CatalogSourceAuth: {
      /** @constant */
      type: 'BASIC'
      username: string
      /** @description Answers show only its last four characters. A secret that is left out, or sent as it was shown, stays; if the address leads to a different host, it must be sent again. */
      secret?: string
    }
    CatalogSourceAuth3: {
      /** @constant */
      type: 'HEADER'
      /** @example X-Api-Key */
      header: string
      /** @description Answers show only its last four characters. A secret that is left out, or sent as it was shown, stays; if the address leads to a different host, it must be sent again. */
      secret?: string
    }
    CatalogSourceGuards: {
      /** @description Of a FULL source: the share of its live items that a sync can remove. Default: 0.2. */
      maxRemovedShare?: number
      /** @description The share of the rows that can be skipped. Default: 0.1. */
      maxSkippedShare?: number
      /** @description The share of the items whose price can more than double, fall below half or change its currency. Default: 0.2. */
      maxPriceShiftShare?: number
      /** @description Of a FULL source: how many items there must be. Default: 1. */
      minItems?: number
    }
    CatalogSourcePreviewItem: {
      line: number
      itemId: string
      productId: string
      title: string
      description: string | null
      link: string
      imageLink: string | null
      additionalImageLinks: string[]
      /** @enum {string} */
      availability: 'IN_STOCK' | 'OUT_OF_STOCK' | 'PREORDER' | 'BACKORDER'
      stock: number | null
      price: string | null
      salePrice: string | null
      saleFrom: string | null
      saleUntil: string | null
      currency: string
      cost: string | null
      brand: string | null
      gtin: string | null
      mpn: string | null
      sku: string | null
      categories: string[]
      condition: ('NEW' | 'REFURBISHED' | 'USED') | null
      adult: boolean
      labels: string[]
      attributes: {
        [key: string]: string
      }
    }
    CatalogSourcePreviewValue: {
      line: number
      /**
       * @description How the row names its items.
       * @enum {string}
       */
      name: 'itemId' | 'sku' | 'gtin'
      key: string
      /** @description Several items can have one SKU or GTIN. */
      itemIds: string[]
      /** @description Of the items, and so of the amounts. */
      currency: string
      cost?: string | null
      stock?: number | null
      salePrice?: string | null
      /** @description A field that the row leaves empty is left out: the item keeps the value of its feed. */
      labels?: string[]
    }
    CatalogSourcePreviewOrderItem: {
      itemId: string
      quantity: number
      refundedQuantity: number
      /** @description Of one piece. */
      price: string
      cost: string | null
    }
    CatalogSourcePreviewOrder: {
      orderId: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      placedAt: string
      /** @description The visitor; null if the file does not name one. */
      unit: string | null
      currency: string
      /** @description A decimal text, such as 19.99. */
      total: string
      /** @description A decimal text, such as 19.99. */
      tax: string
      /** @description A decimal text, such as 19.99. */
      shipping: string
      /** @description A decimal text, such as 19.99. */
      discount: string
      /** @description A decimal text, such as 19.99. */
      refunded: string
      /** @enum {string} */
      status: 'PLACED' | 'PARTIALLY_REFUNDED' | 'REFUNDED' | 'CANCELLED'
      items: components['schemas']['CatalogSourcePreviewOrderItem'][]
    }
    CatalogSourcePreviewError: {
      /** @description In JSON that is read as a whole, the number of the row. */
      line: number
      itemId: string | null
      /** @description Stable, such as `bad_price`. */
      code: string
      message: string
      /** @description The item is taken, but not all of it. */
      isWarning: boolean
    }
    CatalogBatchWarning: {
      itemId: string
      field: string
      /** @enum {string} */
      code: 'cut' | 'left_out' | 'rounded' | 'replaced'
      message: string
    }
    DatasetDerivation: {
      /** @description Whose events are read. Default: Production. */
      envId?: string
      /**
       * @description Keys of tracked events with a `productId` in their properties, and `order` → how much one of them counts. Default: {"product_viewed":1,"added_to_cart":3,"order":5}.
       * @example {
       *       "product_viewed": 1,
       *       "added_to_cart": 3,
       *       "order": 5
       *     }
       */
      actions?: {
        [key: string]: number
      }
      /** @description How many days are read. Default: 90, or all that are kept (`SVC_EVENT_RETENTION`). */
      windowDays?: number
    }
    DatasetActiveVersion: {
      id: string
      number: number
      rows: number
    }
    DatasetVersionCheck: {
      /** @enum {string} */
      check: 'ROW_DROP' | 'UNKNOWN_PRODUCTS'
      /** @enum {string} */
      status: 'OK' | 'FAILED' | 'SKIPPED'
      value: number | null
      limit: number
    }
    /** @description Default: `{"primary":[],"secondary":[],"guardrails":[]}`. */
    NewAbTestRuleMetrics: {
      /** @description Default: `[]`. */
      primary?: string[]
      /** @description Default: `[]`. */
      secondary?: string[]
      /** @description Default: `[]`. */
      guardrails?: string[]
    }
    /** @description Default: `{}`. */
    NewAbTestRuleStatisticsAutoPause: {
      /** @description Default: `false`. */
      srm?: boolean
      /** @description Default: `false`. */
      traffic?: boolean
      /** @description Default: `false`. */
      guardrailMetric?: boolean
    }
    /** @description Default: `{}`. */
    NewAbTestRuleStatistics: {
      /**
       * @description Default: `"SEQUENTIAL"`.
       * @enum {string}
       */
      test?: 'SEQUENTIAL' | 'FIXED_HORIZON'
      /** @description Default: `0.05`. */
      alpha?: number
      /**
       * @description Default: `"HOLM"`.
       * @enum {string}
       */
      correction?: 'HOLM' | 'BENJAMINI_HOCHBERG' | 'NONE'
      /** @description Default: `false`. */
      cuped?: boolean
      /** @description The conversion window of all metrics of the test. Null: each metric has its own. */
      conversionWindowHours?: number | null
      /**
       * @description Whether visitors count before their conversion window has closed. Default: `"EXCLUDE"`.
       * @enum {string}
       */
      inProgressConversions?: 'EXCLUDE' | 'INCLUDE'
      plannedUnitsPerVariation?: number | null
      /** @description The traffic cap: from this number of visitors on, the check `TRAFFIC_CAP` warns. Null: no cap. */
      maxUnits?: number | null
      /** @description Default: `7`. */
      minRuntimeDays?: number
      /** @description Default: `100`. */
      minUnits?: number
      /** @description Default: `25`. */
      minConversions?: number
      /** @description Which failed checks pause the rule. `traffic` includes `TRAFFIC_CAP`. */
      autoPause?: components['schemas']['NewAbTestRuleStatisticsAutoPause']
    }
    DeliveryRuleSchedule: {
      id: string
      /** @enum {string} */
      action: 'RUN' | 'PAUSE'
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      runAt: string
      /** @enum {string} */
      status: 'PENDING' | 'SUSPENDED' | 'DONE' | 'FAILED' | 'CANCELLED'
    }
    AbTestRuleMetrics: {
      primary: string[]
      secondary: string[]
      guardrails: string[]
    }
    AbTestRuleStatisticsAutoPause: {
      srm: boolean
      traffic: boolean
      guardrailMetric: boolean
    }
    AbTestRuleStatistics: {
      /** @enum {string} */
      test: 'SEQUENTIAL' | 'FIXED_HORIZON'
      alpha: number
      /** @enum {string} */
      correction: 'HOLM' | 'BENJAMINI_HOCHBERG' | 'NONE'
      cuped: boolean
      conversionWindowHours: number | null
      /** @enum {string} */
      inProgressConversions: 'EXCLUDE' | 'INCLUDE'
      plannedUnitsPerVariation: number | null
      maxUnits: number | null
      minRuntimeDays: number
      minUnits: number
      minConversions: number
      autoPause: components['schemas']['AbTestRuleStatisticsAutoPause']
    }
    ListedScheduleFlag: {
      id: string
      name: string
      shortId: number
      key: string
    }
    ListedScheduleEnvironment: {
      id: string
      name: string
      key: string
    }
    ListedScheduleExperiment: {
      id: string
      name: string
      shortId: number
    }
    PublishPreviewFlagMove: {
      /** @description The variation that they get now. */
      from: string | null
      /** @description The variation that they would get. Equal to `from` if only the value of the variation changes. */
      to: string | null
      visitors: number
      /** @description The rule that would decide. Null for the default and the overrides of the environment. */
      ruleId: string | null
      /** @description Targeting keys of up to 3 of these visitors. */
      examples: string[]
    }
    PublishPreviewFlag: {
      flagId: string | null
      /** @description The web experiment, whose `flagId` is null; null for a flag. */
      experimentId: string | null
      key: string
      /** @description How many visitors would get a different value. */
      changed: number
      /** @description The largest first, at most 100. */
      moves: components['schemas']['PublishPreviewFlagMove'][]
    }
    StagedChangesFlag: {
      flagId: string
      key: string
      name: string
      changes: components['schemas']['StagedChange'][]
    }
    StagedChangesAudience: {
      audienceId: string
      name: string
      changes: components['schemas']['StagedChange'][]
    }
    PublicationFlag: {
      flagId: string
      key: string
      changes: components['schemas']['Difference'][]
    }
    PublicationAudience: {
      audienceId: string
      name: string
      changes: components['schemas']['Difference'][]
    }
    SwitchDataFile: {
      revision: number
      etag: string
      publishedAt: string | null
    }
    ComparisonDifference: {
      estimate: number | null
      standardError: number | null
      ciLow: number | null
      ciHigh: number | null
    }
    ComparisonLift: {
      estimate: number | null
      ciLow: number | null
      ciHigh: number | null
      /** @constant */
      method: 'FIELLER'
    }
    ComparisonSmallCounts: {
      ciLow: number | null
      ciHigh: number | null
      fisherPValue: number | null
    }
    ComparisonBayesian: {
      chanceToBeatControl: number | null
      expectedLoss: number | null
      expectedLossControl: number | null
    }
    ComparisonGuardrail: {
      margin: number
      contrast: number | null
      lowerBound: number | null
      upperBound: number | null
      pValueNonInferior: number | null
      /** @enum {string} */
      state: 'PASSED' | 'INCONCLUSIVE' | 'BREACHED'
    }
    MetricResultVariation: {
      variationId: string
      units: number
      /** @description Visitors with a value other than 0. */
      converted?: number | null
      sum: number
      denominatorSum: number | null
      mean: number | null
      stddev: number | null
      /** @description The skewness of the sums per visitor, after the cap. For a `MEAN` only. */
      skewness?: number | null
      /** @description The number of visitors that intervals need because of the skewness: 355 times its square. */
      unitsForSkewness?: number | null
      ciLow: number | null
      ciHigh: number | null
      /** @description Null for the baseline. */
      comparison: components['schemas']['Comparison'] | null
    }
    ResultsSettings: {
      /** @enum {string} */
      test: 'SEQUENTIAL' | 'FIXED_HORIZON'
      alpha: number
      sequentialTuningParameter: number
      /** @enum {string} */
      correction: 'HOLM' | 'BENJAMINI_HOCHBERG' | 'NONE'
      cuped: {
        enabled: boolean
        lookbackDays: number
      }
      conversionWindowHours: number | null
      /** @enum {string} */
      inProgressConversions: 'EXCLUDE' | 'INCLUDE'
      minUnits: number
      minConversions: number
      minRuntimeDays: number
    }
    ResultsUnitsExcluded: {
      crossover: number
      bot: number
      override: number
      /** @description Visitors who were exposed while the rule was paused or, by their clock, before its launch. */
      paused?: number
    }
    ResultsUnitsVariation: {
      variationId: string
      key: string
      isBaseline: boolean
      weight: number
      expectedShare: number
      units: number
      share: number | null
    }
    ResultsUnits: {
      total: number
      excluded: components['schemas']['ResultsUnitsExcluded']
      variations: components['schemas']['ResultsUnitsVariation'][]
    }
    ResultsProgress: {
      plannedUnitsPerVariation: number | null
      /**
       * @description `FINAL`: every variation has measured its planned visitors, or the test has ended and all conversion windows have closed. `WINDOWS_OPEN`: all planned visitors have arrived, or the test has ended, and some still have time to convert. `COLLECTING`: the test needs more visitors. A test that has ended stays `COLLECTING` if all its primary metrics were added after the events of its visitors had been deleted.
       * @enum {string}
       */
      stage?: 'COLLECTING' | 'WINDOWS_OPEN' | 'FINAL'
      /** @description Visitors of the smallest variation whom every primary metric has measured. */
      measuredUnits?: number
      /** @description `measuredUnits` as a share of the planned visitors, at most 1. */
      fraction: number | null
      /** @description The number of days until every variation has measured its planned visitors, including open conversion windows. */
      estimatedDaysRemaining: number | null
      minimumDetectableLift: number | null
    }
    ResultsRecommendation: {
      /** @enum {string} */
      action: 'UNHEALTHY' | 'KEEP_RUNNING' | 'SHIP' | 'REVIEW' | 'ROLLBACK' | 'NO_EFFECT'
      variationId: string | null
      reasons: (
        | 'NO_EXPOSURES'
        | 'NO_PRIMARY_METRIC'
        | 'HEALTH_FAILED'
        | 'NOT_ENOUGH_DATA'
        | 'MIN_RUNTIME_NOT_REACHED'
        | 'PLANNED_SAMPLE_NOT_REACHED'
        | 'PLANNED_SAMPLE_REACHED'
        | 'WINDOWS_OPEN'
        | 'PRIMARY_BETTER'
        | 'PRIMARY_WORSE'
        | 'GUARDRAILS_PASSED'
        | 'GUARDRAIL_INCONCLUSIVE'
        | 'GUARDRAIL_BREACHED'
        | 'TIE'
      )[]
      /** @description The guardrail metrics that are proven to be worse than their margin allows, by variation. */
      breached?: components['schemas']['ResultsDigestRecommendationBreached'][]
    }
    ResultsSummaryPrimaryMetricVariation: {
      variationId: string
      /** @enum {string} */
      status:
        | 'invalid_input'
        | 'no_data'
        | 'insufficient_data'
        | 'zero_variance'
        | 'zero_baseline'
        | 'lift_unbounded'
        | 'ok'
      /** @description Whether the adjusted p-value is significant; under FIXED_HORIZON only at the end. */
      significant: boolean
      lift: components['schemas']['ComparisonLift']
    }
    ResultsSummaryPrimaryMetric: {
      metricId: string
      name: string
      /** @enum {string} */
      direction: 'INCREASE' | 'DECREASE'
      variations: components['schemas']['ResultsSummaryPrimaryMetricVariation'][]
    }
    DimensionValue: {
      value: string
      /**
       * @description `OTHER`: the visitors with a value that is not listed, together. `NONE`: the visitors whose first exposure has no value.
       * @enum {string}
       */
      kind?: 'VALUE' | 'OTHER' | 'NONE'
      units: number
      metrics: components['schemas']['MetricResult'][]
    }
    NewExperimentAutoPause: {
      /** @description Default: `false`. */
      srm?: boolean
      /** @description Default: `false`. */
      traffic?: boolean
      /** @description Default: `false`. */
      guardrailMetric?: boolean
      /** @description Errors of the code of variations: an error that 2 % of the visitors of a variation have met, and at least 20. Only for a web experiment. If omitted, it stays. Default: false. */
      codeErrors?: boolean
    }
    NewExperimentMetrics: {
      /** @description Default: `[]`. */
      primary?: string[]
      /** @description Default: `[]`. */
      secondary?: string[]
      /** @description Default: `[]`. */
      guardrails?: string[]
    }
    NewExperimentStatistics: {
      /**
       * @description Default: `"SEQUENTIAL"`.
       * @enum {string}
       */
      test?: 'SEQUENTIAL' | 'FIXED_HORIZON'
      /** @description Default: `0.05`. */
      alpha?: number
      /**
       * @description Default: `"HOLM"`.
       * @enum {string}
       */
      correction?: 'HOLM' | 'BENJAMINI_HOCHBERG' | 'NONE'
      /** @description Default: `false`. */
      cuped?: boolean
      /** @description The conversion window of all metrics of the test. Null: each metric has its own. */
      conversionWindowHours?: number | null
      /**
       * @description Whether visitors count before their conversion window has closed. Default: `"EXCLUDE"`.
       * @enum {string}
       */
      inProgressConversions?: 'EXCLUDE' | 'INCLUDE'
      plannedUnitsPerVariation?: number | null
      /** @description The traffic cap: from this number of visitors on, the check `TRAFFIC_CAP` warns. Null: no cap. */
      maxUnits?: number | null
      /** @description Default: `7`. */
      minRuntimeDays?: number
      /** @description Default: `100`. */
      minUnits?: number
      /** @description Default: `25`. */
      minConversions?: number
    }
    ExperimentMetrics: {
      primary: string[]
      secondary: string[]
      guardrails: string[]
    }
    ExperimentAutoPause: {
      srm: boolean
      traffic: boolean
      guardrailMetric: boolean
      /** @description False for a FEATURE experiment. */
      codeErrors: boolean
    }
    SessionUser: {
      id: string
      name: string
      email: string
      hasPassword: boolean
      secondFactor: boolean
    }
    SessionOrganization: {
      id: string
      shortId: number
      name: string
      features: string[]
      role: {
        id: string
        name: string
      } | null
      /** @description Whether the role is the built-in OWNER or ADMIN. */
      administrator: boolean
      scopes: string[]
      /** @description Null: all projects. */
      projects: string[] | null
    }
    RevisionFlag: {
      id: string
      name: string
      /** @description Null if the live version changed, but visitors saw no change. */
      change: ('ADDED' | 'CHANGED' | 'REMOVED') | null
      key: string
      /** @description With `include=changes`: the differences from the state before, for the first 3 flags. Empty for a new flag. */
      changes?: components['schemas']['RevisionChange'][]
    }
    RevisionExperiment: {
      /** @description Null if the experiment was deleted. */
      id: string | null
      shortId: number
      name: string
      /** @description Null if the live version changed, but visitors saw no change. */
      change: ('ADDED' | 'CHANGED' | 'REMOVED') | null
    }
    RevisionAudience: {
      id: string
      name: string
      /** @enum {string} */
      change: 'ADDED' | 'CHANGED' | 'REMOVED'
    }
    RevisionChangesFlag: {
      id: string
      name: string
      /** @description Null if the live version changed, but visitors saw no change. */
      change: ('ADDED' | 'CHANGED' | 'REMOVED') | null
      key: string
      /** @description Key and name of the flag now; null if it was deleted. */
      current: {
        key: string
        name: string
      } | null
      /** @description Differences from the state before. Empty for a new flag. */
      changes: components['schemas']['RevisionChange'][]
    }
    RevisionChangesExperiment: {
      /** @description Null if the experiment was deleted. */
      id: string | null
      shortId: number
      name: string
      /** @description Null if the live version changed, but visitors saw no change. */
      change: ('ADDED' | 'CHANGED' | 'REMOVED') | null
      changes: components['schemas']['RevisionChange'][]
    }
    RevisionChangesAudience: {
      id: string
      name: string
      /** @enum {string} */
      change: 'ADDED' | 'CHANGED' | 'REMOVED'
      changes: components['schemas']['Difference'][]
    }
    AudienceUsedBy: {
      /** @constant */
      type: 'rule'
      id: string
      flagId: string
      envId: string
    }
    AudienceUsedBy2: {
      /** @constant */
      type: 'experiment'
      id: string
      envId: string
    }
    PlacementVariantBoost: {
      when?: components['schemas']['ItemCondition']
      /**
       * @description `brand`, `category` (the deepest) or `attributes.<name>`.
       * @example brand
       */
      sameAs?: string
      /** @description What the score is multiplied by. */
      factor: number
    }
    PlacementVariantPin: {
      productId: string
      /** @description Counted from 0. */
      position: number
      from: string | null
      until: string | null
    }
    PlacementMeasurementPerVisitor: {
      estimate: number
      ciLow: number
      ciHigh: number
    }
    RecommendationModelActiveRun: {
      id: string
      number: number
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      activatedAt: string
    }
    RecommendationsItemProduct: {
      title: string
      link: string
      imageLink: string | null
      price: string
      /** @description Null unless it is valid now, above 0 and below `price`. */
      salePrice: string | null
      currency: string
    }
    RecommendationsItem: {
      productId: string
      itemId: string
      score: number
      /** @description Null: only a pin has brought the product. */
      strategy: string | null
      pinned: boolean
      product: components['schemas']['RecommendationsItemProduct']
    }
    RecommendationPreviewCandidate: {
      productId: string
      strategy: string | null
      /** @description After boosts. */
      score: number
      included: boolean
      /** @description Why the product is not in the list. Null: it is. */
      reason: ('FILTERED' | 'OUT_OF_STOCK' | 'EXCLUDED' | 'CONTEXT' | 'BOUGHT' | 'CAP' | 'LIMIT') | null
    }
    SampleSizeDuration: {
      days: number
      unitsPerVariation: number
      /** @description Null if so few visitors cannot show any change. */
      minimumDetectableLift: number | null
    }
    ExclusionGroupSlot: {
      ruleId: string
      /** @description Null for a web experiment. */
      flagId: string | null
      /** @description The web experiment; null for a rule of a flag. */
      experimentId: string | null
      envId: string
      from: number
      to: number
    }
    OfrepSuccessMetadata: {
      /** @description The id of the environment. */
      flagSetId: string
      /** @description The revision of the data file. */
      version: string
      /** @description The reason, as given by the SDKs of this service. */
      svcReason: string
      /** @description The short id of the rule that decided, if one did. */
      ruleId?: string
    }
    OfrepBulkEventStream: {
      /** @constant */
      type: 'sse'
      endpoint: {
        requestUri: string
      }
      inactivityDelaySec: number
    }
    LinkPersonalToken: {
      name: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      lastUsedAt: string | null
    }
    NotificationPreviewByEvent: {
      event: string
      passed: number
      stopped: number
    }
    NotificationPreviewPassing: {
      event: string
      /** @description The name of the object that the event is about. */
      name: string | null
      /** @description The name of the project. */
      project: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      occurredAt: string
    }
    VisibleNameEnvironment: {
      id: string
      key: string
      name: string
    }
    ProblemObject: {
      /** @enum {string} */
      kind:
        | 'webhook'
        | 'destination'
        | 'flag'
        | 'rule'
        | 'experiment'
        | 'environment'
        | 'job'
        | 'source'
        | 'service_token'
        | 'personal_token'
        | 'member'
      id: string
      name: string
    }
    AuditEntryActor: {
      /** @description `user`, `service_token`, `personal_token` or `system`. */
      type: string
      /** @description Id of the user or token. Null for the service itself. */
      id: string | null
      name: string
    }
    AuditEntryObject: {
      type: string
      id: string
      name: string
    }
    WebDocumentSettings: {
      /** @enum {string} */
      consent: 'NOT_REQUIRED' | 'REQUIRED'
      /** @enum {string} */
      pending: 'HOLD' | 'APPLY'
      privacy: boolean
      maxDelayMs: number
      cookieDomain: string | null
    }
    DestinationPreviewMessage: {
      /** @enum {string} */
      tone: 'GOOD' | 'INFO' | 'WARNING' | 'BAD'
      title: string
      summary: string
      facts: {
        label: string
        value: string
      }[]
      link: {
        label: string
        url: string
      }
      project: string
      actor: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      at: string
    }
    DestinationPreviewRequest: {
      method: string
      url: string
      headers: {
        [key: string]: string
      }
      body: unknown
    }
    MySubscriptionsSubscription: {
      projectId: string
      project: components['schemas']['MeOrganization']
      events: 'SAFETY' | string[]
      /**
       * @description When events are sent: at once, every hour, or once a day. Safety events never wait.
       * @enum {string}
       */
      digest: 'NONE' | 'HOURLY' | 'DAILY'
      /** @description Whether this is the default of the role, because nothing was chosen. */
      isDefault: boolean
      /** @description Why mail was stopped. Saving starts it again. */
      disableReason: string | null
    }
    MeAnswer: {
      data: components['schemas']['Me']
    }
    OrganizationAnswer: {
      data: components['schemas']['Organization']
    }
    OrganizationSettingsAnswer: {
      data: components['schemas']['OrganizationSettings']
    }
    UpdateOrganizationBody: {
      name?: string
      /** @description Filters the events that webhooks and destinations receive by words in names and keys. Safety events are always sent. */
      notifications?: {
        /** @enum {string} */
        mode: 'INCLUDE' | 'EXCLUDE'
        keywords: string[]
      } | null
      /** @description When destinations that keep quiet hours wait: from one time to the other on every day, and on all of the listed days. Safety events never wait. */
      quietHours?: components['schemas']['QuietHours'] | null
      /**
       * @description When daily digests go out, in the time zone of `digestTimezone`.
       * @example 09:00
       */
      digestAt?: string
      /** @description The time zone of `digestAt`. Null: the time zone of the quiet hours, or else UTC. */
      digestTimezone?: string | null
    }
    MemberPage: {
      data: components['schemas']['Member'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    MemberAnswer: {
      data: components['schemas']['Member']
    }
    UpdateMemberBody: {
      roleId?: string
      /** @description The projects that the member can see. Null: all projects. */
      projectIds?: string[] | null
    }
    EmptyAnswer: {
      data: null
    }
    ResetLinkAnswer: {
      data: components['schemas']['ResetLink']
    }
    InvitationPage: {
      data: components['schemas']['Invitation'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    SentInvitationAnswer: {
      data: components['schemas']['SentInvitation']
    }
    InviteMemberBody: {
      /** Format: email */
      email: string
      roleId: string
      /** @description The projects that the member can see. Null: all projects. */
      projectIds?: string[] | null
    }
    RolePage: {
      data: components['schemas']['Role'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    RoleAnswer: {
      data: components['schemas']['Role']
    }
    CreateRoleBody: {
      name: string
      description?: string | null
      capabilities: (
        | 'view_reports'
        | 'export_data'
        | 'manage_projects'
        | 'edit_project_settings'
        | 'create_experiments'
        | 'edit_code_variations'
        | 'manage_integrations'
      )[]
    }
    UpdateRoleBody: {
      name?: string
      description?: string | null
      capabilities?: (
        | 'view_reports'
        | 'export_data'
        | 'manage_projects'
        | 'edit_project_settings'
        | 'create_experiments'
        | 'edit_code_variations'
        | 'manage_integrations'
      )[]
    }
    CapabilityList: {
      data: components['schemas']['Capability'][]
    }
    ServiceTokenPage: {
      data: components['schemas']['ServiceToken'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    CreateServiceTokenAnswerData: {
      id: string
      name: string
      description: string | null
      scopes: (
        | 'org:read'
        | 'org:write'
        | 'projects:read'
        | 'projects:write'
        | 'experiments:read'
        | 'experiments:write'
        | 'flags:read'
        | 'flags:write'
        | 'audiences:read'
        | 'audiences:write'
        | 'segments:read'
        | 'segments:write'
        | 'metrics:read'
        | 'metrics:write'
        | 'results:read'
        | 'members:read'
        | 'members:write'
        | 'roles:read'
        | 'roles:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'integrations:read'
        | 'integrations:write'
        | 'catalog:read'
        | 'catalog:write'
        | 'datasets:read'
        | 'datasets:write'
        | 'recommendations:read'
        | 'recommendations:write'
        | 'orders:read'
        | 'audit:read'
        | 'tokens:read'
        | 'tokens:write'
        | 'admin:*'
      )[]
      /** @description The scopes of the token that currently have no effect. */
      ineffectiveScopes: (
        | 'org:read'
        | 'org:write'
        | 'projects:read'
        | 'projects:write'
        | 'experiments:read'
        | 'experiments:write'
        | 'flags:read'
        | 'flags:write'
        | 'audiences:read'
        | 'audiences:write'
        | 'segments:read'
        | 'segments:write'
        | 'metrics:read'
        | 'metrics:write'
        | 'results:read'
        | 'members:read'
        | 'members:write'
        | 'roles:read'
        | 'roles:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'integrations:read'
        | 'integrations:write'
        | 'catalog:read'
        | 'catalog:write'
        | 'datasets:read'
        | 'datasets:write'
        | 'recommendations:read'
        | 'recommendations:write'
        | 'orders:read'
        | 'audit:read'
        | 'tokens:read'
        | 'tokens:write'
        | 'admin:*'
      )[]
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      /** @description Name of the creator. Null if the token is from the provisioning file. */
      createdBy: string | null
      /** @description The service made this secret at its first start and wrote it to a file. A rotation gives the token a different one. */
      initial: boolean
      expiresAt: string | null
      /**
       * @description `EXPIRING`: the token expires within 7 days (within a day if its whole life is at most 7 days). `PREVIOUS_SECRET`: an old secret that was rotated and still works.
       * @enum {string}
       */
      status: 'ACTIVE' | 'EXPIRING' | 'EXPIRED' | 'REVOKED' | 'PREVIOUS_SECRET'
      /** @description Present only for a previous secret: the id of its token. */
      replacedBy: string | null
      revokedAt: string | null
      /** @description Accurate to 2 seconds. */
      lastUsedAt: string | null
      lastUsedIp: string | null
      lastUsedUserAgent: string | null
      /** @description Present only in this answer. Null in a repeated answer. */
      secret: string | null
    }
    CreateServiceTokenAnswer: {
      data: components['schemas']['CreateServiceTokenAnswerData']
    }
    CreateServiceTokenBody: {
      name: string
      description?: string | null
      scopes: (
        | 'org:read'
        | 'org:write'
        | 'projects:read'
        | 'projects:write'
        | 'experiments:read'
        | 'experiments:write'
        | 'flags:read'
        | 'flags:write'
        | 'audiences:read'
        | 'audiences:write'
        | 'segments:read'
        | 'segments:write'
        | 'metrics:read'
        | 'metrics:write'
        | 'results:read'
        | 'members:read'
        | 'members:write'
        | 'roles:read'
        | 'roles:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'integrations:read'
        | 'integrations:write'
        | 'catalog:read'
        | 'catalog:write'
        | 'datasets:read'
        | 'datasets:write'
        | 'recommendations:read'
        | 'recommendations:write'
        | 'orders:read'
        | 'audit:read'
        | 'tokens:read'
        | 'tokens:write'
        | 'admin:*'
      )[]
      /**
       * @description How long the token works. `1y` is 365 days.
       * @enum {string}
       */
      expiresIn: 'never' | '7d' | '30d' | '90d' | '1y'
    }
    RotateServiceTokenAnswerData: {
      token: components['schemas']['ServiceToken']
      /** @description Present only in this answer. Null in a repeated answer. */
      secret: string | null
      previous: components['schemas']['ServiceToken']
    }
    RotateServiceTokenAnswer: {
      data: components['schemas']['RotateServiceTokenAnswerData']
    }
    ServiceTokenAnswer: {
      data: components['schemas']['ServiceToken']
    }
    ScopeList: {
      data: components['schemas']['Scope'][]
    }
    UpdateProfileAnswer: {
      data: components['schemas']['MeUser']
    }
    UpdateProfileBody: {
      name: string
    }
    RequestEmailChangeBody:
      | {
          /** Format: email */
          email: string
          currentPassword: string
        }
      | {
          /** Format: email */
          email: string
          code: string
        }
    ConfirmEmailChangeAnswer: {
      data: {
        email: string
      }
    }
    ConfirmEmailChangeBody: {
      link: string
    }
    StandingAnswer: {
      data: components['schemas']['Standing']
    }
    SignInBody: {
      /** Format: email */
      email: string
      password: string
    }
    SignInWithSecondFactorBody:
      | {
          code: string
        }
      | {
          recoveryCode: string
        }
    ListedSessionList: {
      data: components['schemas']['ListedSession'][]
    }
    EndOtherSessionsAnswer: {
      data: {
        ended: number
      }
    }
    PersonalTokenPage: {
      data: components['schemas']['PersonalToken'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    CreatePersonalTokenAnswerData: {
      id: string
      name: string
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds.
       */
      createdAt: string
      expiresAt: string | null
      expired: boolean
      revokedAt: string | null
      /** @description Accurate to 2 seconds. */
      lastUsedAt: string | null
      lastUsedIp: string | null
      lastUsedUserAgent: string | null
      /** @description Present only in this answer. */
      secret: string
    }
    CreatePersonalTokenAnswer: {
      data: components['schemas']['CreatePersonalTokenAnswerData']
    }
    CreatePersonalTokenBody: {
      name: string
      /**
       * @description How long the token works. `1y` is 365 days.
       * @enum {string}
       */
      expiresIn: 'never' | '7d' | '30d' | '90d' | '1y'
    }
    PersonalTokenAnswer: {
      data: components['schemas']['PersonalToken']
    }
    LinkAnswer: {
      data: components['schemas']['Link']
    }
    CheckLinkBody: {
      link: string
    }
    SignUpBody: {
      link: string
      organizationName: string
      name: string
      /** Format: email */
      email: string
      password: string
      /** @description Whether the token of the first start is revoked. Programs that use it stop. Default: `false`. */
      revokeInitialToken?: boolean
    }
    AcceptInvitationBody: {
      link: string
      name?: string
      password?: string
    }
    RequestPasswordResetBody: {
      /** Format: email */
      email: string
    }
    CompletePasswordResetBody: {
      link: string
      password: string
      /** @description Also revoke all personal tokens of the account. Default: `false`. */
      revokeTokens?: boolean
    }
    ChangePasswordBody: {
      currentPassword?: string
      newPassword: string
    }
    BeginSecondFactorAnswer: {
      data: {
        secret: string
        /** @description The content of the QR code for the app. */
        uri: string
      }
    }
    ConfirmSecondFactorAnswer: {
      data: {
        /** @description Each code works once, instead of a code from the app. The codes are shown only once. */
        recoveryCodes: string[]
      }
    }
    ConfirmSecondFactorBody: {
      code: string
    }
    DisableSecondFactorBody:
      | {
          password: string
        }
      | {
          code: string
        }
    RenewRecoveryCodesAnswer: {
      data: {
        /** @description Each code works once, instead of a code from the app. The codes are shown only once. */
        recoveryCodes: string[]
      }
    }
    RenewRecoveryCodesBody: {
      code: string
    }
    IdentityList: {
      data: components['schemas']['Identity'][]
    }
    PropagationAnswer: {
      data: components['schemas']['Propagation']
    }
    ClientPage: {
      data: components['schemas']['Client'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    ProjectPage: {
      data: components['schemas']['Project'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    ProjectAnswer: {
      data: components['schemas']['Project']
    }
    CreateProjectBody: {
      name: string
      /** @description Default: made from the name. */
      key?: string
      /**
       * @description Fixed once the project is created. Default: `"FEATURE_FLAG"`.
       * @enum {string}
       */
      type?: 'FEATURE_FLAG' | 'WEB'
    }
    UpdateProjectBody: {
      name?: string
      key?: string
      /** @description False deletes the sample of visitors within minutes, and nothing is added to it. */
      samplesVisitors?: boolean
    }
    CurrentWebSettingsAnswer: {
      data: components['schemas']['CurrentWebSettings']
    }
    EnvironmentPage: {
      data: components['schemas']['Environment'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    EnvironmentAnswer: {
      data: components['schemas']['Environment']
    }
    CreateEnvironmentBody: {
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      color?: string
      /** @description Ask for a confirmation in the dashboard before each switch. Default: `false`. */
      protected?: boolean
      /** @description Place in the order, from 0. Default: last. */
      position?: number
      /** @description Copy the drafts of this environment. All flags start paused, and rules get new salts, so visitors are bucketed differently. */
      copyFromEnvId?: string | null
    }
    UpdateEnvironmentBody: {
      name?: string
      color?: string
      /** @description Ask for a confirmation in the dashboard before each switch. */
      protected?: boolean
      /**
       * @description Which events count only if their request has an ingest key. `NONE`: events count without one. `TRACKED_EVENTS`: tracked events need one, and exposures do not. `ALL`: exposures need one, too.
       * @enum {string}
       */
      ingestKeyRequiredFor?: 'NONE' | 'TRACKED_EVENTS' | 'ALL'
      /** @description Move the environment to this place in the order, from 0. The environments behind it move up or down. */
      position?: number
    }
    SdkKeyPage: {
      data: components['schemas']['SdkKey'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    SdkKeyAnswer: {
      data: components['schemas']['SdkKey']
    }
    IngestKeyPage: {
      data: components['schemas']['IngestKey'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    CreatedIngestKeyAnswer: {
      data: components['schemas']['CreatedIngestKey']
    }
    ProjectIndexAnswer: {
      data: components['schemas']['ProjectIndex']
    }
    StagedChangesAnswer: {
      data: components['schemas']['StagedChanges']
    }
    DiscardStagedChangesBody: {
      flagId?: string
      /** @description A web experiment, in place of `flagId`. */
      experimentId?: string
      /**
       * @description Paths from the list of staged changes.
       * @example [
       *       "overrides"
       *     ]
       */
      paths: string[]
    }
    RevisionPage: {
      data: components['schemas']['Revision'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    RevisionChangesAnswer: {
      data: components['schemas']['RevisionChanges']
    }
    RestoredRevisionAnswer: {
      data: components['schemas']['RestoredRevision']
    }
    RestoreRevisionBody: {
      /** @description Restores only these flags. Null restores all flags that still exist. */
      flagIds?: string[] | null
      /** @description Only shows what would be staged. Default: `false`. */
      dryRun?: boolean
    }
    ExplainedEvaluationAnswer: {
      data: components['schemas']['ExplainedEvaluation']
    }
    EvaluateBody: {
      /**
       * @description The context as passed to the SDK: `targetingKey` and attributes.
       * @example {
       *       "targetingKey": "u-17",
       *       "country": "NL"
       *     }
       */
      context: {
        [key: string]: unknown
      }
      /** @description Default: all flags of the environment. Repeated keys are returned once. */
      flagKeys?: string[]
      /**
       * Format: date-time
       * @description Use the revision that was served at this time, and set the clock (`$now`) to it.
       */
      at?: string
      /** @description A past revision of the data file. */
      revision?: number
      /** @description True evaluates the drafts as if they were published, with the current switches. */
      draft?: boolean
    }
    AudienceEvaluationAnswer: {
      data: components['schemas']['AudienceEvaluation']
    }
    EvaluateAudienceBody: {
      /**
       * @description The context as passed to the SDK: `targetingKey` and attributes.
       * @example {
       *       "targetingKey": "u-17",
       *       "country": "NL"
       *     }
       */
      context: {
        [key: string]: unknown
      }
    }
    FlagPage: {
      data: components['schemas']['Flag'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    FlagAnswer: {
      data: components['schemas']['Flag']
    }
    CreateFlagBody: {
      name: string
      key: string
      /** @enum {string} */
      type: 'BOOLEAN' | 'STRING' | 'NUMBER' | 'JSON'
      variations: components['schemas']['NewVariation'][]
      defaultVariationKey: string
      description?: string | null
      /** @description Default: `[]`. */
      tags?: string[]
      /** @description The id or e-mail address of a member of the organization. Default: the person who creates the flag. A service token is no person, so its flags have no owner. Null: nobody. */
      owner?: string | null
      /** @description Default: `false`. */
      permanent?: boolean
      /** @description The form that values of a JSON flag must have, as JSON Schema with the keywords type, properties, required, items, enum, const, additionalProperties, minimum, maximum, minLength and maxLength; at most 16 KB. Values are checked when they are saved. Null: any JSON. */
      valueSchema?: {
        [key: string]: unknown
      } | null
    }
    UpdateFlagBody: {
      name?: string
      description?: string | null
      key?: string
      tags?: string[]
      /** @description The id or e-mail address of a member of the organization; null for nobody. */
      owner?: string | null
      permanent?: boolean
      /** @description The form that values of a JSON flag must have, as JSON Schema with the keywords type, properties, required, items, enum, const, additionalProperties, minimum, maximum, minLength and maxLength; at most 16 KB. Values are checked when they are saved. Null: any JSON. */
      valueSchema?: {
        [key: string]: unknown
      } | null
    }
    ReplaceVariationsBody: {
      variations: components['schemas']['ReplacedVariation'][]
      defaultVariationKey?: string
    }
    SwitchAnswer: {
      data: components['schemas']['Switch']
    }
    FlagEnvironmentSwitchAnswer: {
      data: components['schemas']['FlagEnvironmentSwitch']
    }
    UpdateFlagEnvironmentBody: {
      /** @description Staged until the next publish. */
      defaultVariationId?: string
      /** @description Takes effect at once: true runs, false pauses. */
      enabled?: boolean
    }
    FlagInEnvironmentAnswer: {
      data: components['schemas']['FlagInEnvironment']
    }
    OverridesAnswer: {
      data: components['schemas']['Overrides']
    }
    ReplaceOverridesBody: {
      environmentAllowlist: {
        variationKey: string
        userIds: string[]
      }[]
      ruleAllowlists: {
        ruleId: string
        entries: {
          variationKey: string
          userIds: string[]
        }[]
      }[]
    }
    ListedSchedulePage: {
      data: components['schemas']['ListedSchedule'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    ScheduleAnswer: {
      data: components['schemas']['Schedule']
    }
    SetEnvironmentScheduleBody: {
      /** @enum {string} */
      action: 'RUN' | 'PAUSE'
      /**
       * Format: date-time
       * @description ISO 8601 with an offset. Must be in the future, at most a year ahead.
       */
      runAt: string
      /** @description IANA time zone in which the dashboard shows the time. Only `runAt` decides when the schedule runs. Default: `"UTC"`. */
      timezone?: string
      note?: string | null
    }
    SetRuleScheduleBody: {
      /** @enum {string} */
      action: 'RUN' | 'PAUSE'
      /**
       * Format: date-time
       * @description ISO 8601 with an offset. Must be in the future, at most a year ahead.
       */
      runAt: string
      /** @description IANA time zone in which the dashboard shows the time. Only `runAt` decides when the schedule runs. Default: `"UTC"`. */
      timezone?: string
      note?: string | null
    }
    ReplaceDraftBody: {
      defaultVariationKey: string
      /** @description The rules in evaluation order. An existing rule is matched by `id`, or else by `key`; any other rule is new. Omitted rules are deleted, and omitted fields get their defaults, except for the salt, which stays the same. */
      rules: (
        | components['schemas']['DraftedDeliveryRule']
        | components['schemas']['DraftedAbTestRule']
        | components['schemas']['UnchangedRule']
      )[]
      /** @description If you omit it, the lists do not change. `ruleId` can be the key of a new rule. */
      overrides?: {
        environmentAllowlist: {
          variationKey: string
          userIds: string[]
        }[]
        ruleAllowlists: {
          ruleId: string
          entries: {
            variationKey: string
            userIds: string[]
          }[]
        }[]
      }
      /** @description Default: `false`. */
      confirmReassignment?: boolean
    }
    RulePage: {
      data: components['schemas']['Rule'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    RuleAnswer: {
      data: components['schemas']['Rule']
    }
    CreateRuleBody: components['schemas']['NewDeliveryRule'] | components['schemas']['NewAbTestRule']
    CopiedRulesAnswer: {
      data: components['schemas']['CopiedRules']
    }
    CopyRulesBody: {
      sourceEnvId: string
    }
    ReorderRulesBody: {
      ruleIds: string[]
    }
    UpdateRuleBodyStatistics: {
      /**
       * @description Default: `"SEQUENTIAL"`.
       * @enum {string}
       */
      test?: 'SEQUENTIAL' | 'FIXED_HORIZON'
      /** @description Default: `0.05`. */
      alpha?: number
      /**
       * @description Default: `"HOLM"`.
       * @enum {string}
       */
      correction?: 'HOLM' | 'BENJAMINI_HOCHBERG' | 'NONE'
      /** @description Default: `false`. */
      cuped?: boolean
      /** @description The conversion window of all metrics of the test. Null: each metric has its own. */
      conversionWindowHours?: number | null
      /**
       * @description Whether visitors count before their conversion window has closed. Default: `"EXCLUDE"`.
       * @enum {string}
       */
      inProgressConversions?: 'EXCLUDE' | 'INCLUDE'
      plannedUnitsPerVariation?: number | null
      /** @description The traffic cap: from this number of visitors on, the check `TRAFFIC_CAP` warns. Null: no cap. */
      maxUnits?: number | null
      /** @description Default: `7`. */
      minRuntimeDays?: number
      /** @description Default: `100`. */
      minUnits?: number
      /** @description Default: `25`. */
      minConversions?: number
      /** @description Which failed checks pause the rule. `traffic` includes `TRAFFIC_CAP`. */
      autoPause?: components['schemas']['NewAbTestRuleStatisticsAutoPause']
    }
    UpdateRuleBody: {
      name?: string
      description?: string | null
      audienceIds?: string[]
      /** @description A tree of targeting conditions: `{ "all": [...] }`, `{ "any": [...] }`, `{ "not": ... }`, `{ "audience": id }`, `{ "segment": id }` or an attribute with an operator and a value. See docs/targeting.md. */
      conditions?: unknown
      /** @description The attribute with the bucketing unit. */
      bucketBy?: string
      /** @description Basis points: 0 to 10000. */
      trafficAllocation?: number
      salt?: string
      variationKey?: string
      /** @description Whether SDKs count the visitors of the rule. An A/B test always counts them. */
      exposures?: boolean
      hypothesis?: string | null
      variations?: {
        variationKey: string
        /** @description Basis points: 0 to 10000. */
        weight: number
      }[]
      baselineVariationKey?: string
      metrics?: components['schemas']['NewExperimentMetrics']
      statistics?: components['schemas']['UpdateRuleBodyStatistics']
      /** @description The rule takes a slot of the group: its traffic is a share of the visitors in the slot. */
      exclusionGroupId?: string | null
      /** @description The rule leaves out the visitors of the holdout. */
      holdoutId?: string | null
      /** @description Visitors keep their variation after the weights have changed: in SDKs with a `stickyStore`, and in web experiments by the cookie `svc_kept`. */
      sticky?: boolean
      /**
       * @description Cannot change.
       * @enum {string}
       */
      type?: 'TARGETED_DELIVERY' | 'AB_TEST'
      position?: number
      /** @description Default: `false`. */
      confirmReassignment?: boolean
      /** @description Checks the edit without saving it, so that the refusal `reassignment_unconfirmed` says beforehand how many visitors would move. Default: `false`. */
      dryRun?: boolean
    }
    AudiencePage: {
      data: components['schemas']['Audience'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    AudienceAnswer: {
      data: components['schemas']['Audience']
    }
    CreateAudienceBody: {
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      description?: string | null
      /** @description A tree of targeting conditions: `{ "all": [...] }`, `{ "any": [...] }`, `{ "not": ... }`, `{ "audience": id }`, `{ "segment": id }` or an attribute with an operator and a value. See docs/targeting.md. */
      conditions: unknown
    }
    UpdateAudienceBody: {
      name?: string
      description?: string | null
      /** @description A tree of targeting conditions: `{ "all": [...] }`, `{ "any": [...] }`, `{ "not": ... }`, `{ "audience": id }`, `{ "segment": id }` or an attribute with an operator and a value. See docs/targeting.md. */
      conditions?: unknown
    }
    SegmentPage: {
      data: components['schemas']['Segment'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    SegmentAnswer: {
      data: components['schemas']['Segment']
    }
    CreateSegmentBody: {
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      description?: string | null
    }
    UpdateSegmentBody: {
      name?: string
      description?: string | null
    }
    ListSegmentMembersAnswer: {
      data: string[]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    ReplaceSegmentMembersBody: {
      /**
       * @example [
       *       "u-17",
       *       "u-18"
       *     ]
       */
      ids: string[]
    }
    AddSegmentMembersBody: {
      /**
       * @example [
       *       "u-17",
       *       "u-18"
       *     ]
       */
      ids: string[]
    }
    RemoveSegmentMembersBody: {
      /**
       * @example [
       *       "u-17",
       *       "u-18"
       *     ]
       */
      ids: string[]
    }
    MetricPage: {
      data: components['schemas']['Metric'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    MetricAnswer: {
      data: components['schemas']['Metric']
    }
    CreateMetricBody: {
      key: string
      name: string
      /**
       * @description `PROPORTION`: the share of visitors with the event. `MEAN`: the sum of its values, or the number of events, per visitor. `RATIO`: the sum divided by the sum of `denominator`.
       * @enum {string}
       */
      type: 'PROPORTION' | 'MEAN' | 'RATIO'
      /** @description The `eventKey` that `track` sends. */
      eventKey: string
      /** @description `value`: the value of each event. Null: each event counts as 1. */
      valueFrom?: 'value' | null
      denominator?: {
        /** @description The `eventKey` that `track` sends. */
        eventKey: string
        /** @description `value`: the value of each event. Null: each event counts as 1. */
        valueFrom?: 'value' | null
      } | null
      /**
       * @description The good direction. Default: `"INCREASE"`.
       * @enum {string}
       */
      direction?: 'INCREASE' | 'DECREASE'
      /** @description The unit of the value, for example `EUR`. It is only shown. */
      unit?: string | null
      /** @description Events count until this many hours after the first exposure of a visitor. Default: `168`. */
      conversionWindowHours?: number
      /** @description For a `MEAN` only. Caps each visitor’s sum at this quantile of their sizes, so that a few visitors cannot decide the test. */
      winsorizeAt?: number | null
      /** @description For a guardrail: how much worse a variation can be, as a share of the baseline. */
      nonInferiorityMargin?: number | null
      /** @description What visitors do on pages that the script of a WEB project tells by itself, as the event `eventKey`, while an experiment with this metric runs. Null: only programs and `svc.track` send the event. An event can have one trigger in a project. */
      trigger?: components['schemas']['MetricTrigger'] | null
    }
    UpdateMetricBody: {
      name?: string
      /**
       * @description `PROPORTION`: the share of visitors with the event. `MEAN`: the sum of its values, or the number of events, per visitor. `RATIO`: the sum divided by the sum of `denominator`.
       * @enum {string}
       */
      type?: 'PROPORTION' | 'MEAN' | 'RATIO'
      /** @description The `eventKey` that `track` sends. */
      eventKey?: string
      /** @description `value`: the value of each event. Null: each event counts as 1. */
      valueFrom?: 'value' | null
      denominator?: {
        /** @description The `eventKey` that `track` sends. */
        eventKey: string
        /** @description `value`: the value of each event. Null: each event counts as 1. */
        valueFrom?: 'value' | null
      } | null
      /**
       * @description The good direction.
       * @enum {string}
       */
      direction?: 'INCREASE' | 'DECREASE'
      /** @description The unit of the value, for example `EUR`. It is only shown. */
      unit?: string | null
      /** @description Events count until this many hours after the first exposure of a visitor. */
      conversionWindowHours?: number
      /** @description For a `MEAN` only. Caps each visitor’s sum at this quantile of their sizes, so that a few visitors cannot decide the test. */
      winsorizeAt?: number | null
      /** @description For a guardrail: how much worse a variation can be, as a share of the baseline. */
      nonInferiorityMargin?: number | null
      /** @description What visitors do on pages that the script of a WEB project tells by itself, as the event `eventKey`, while an experiment with this metric runs. Null: only programs and `svc.track` send the event. An event can have one trigger in a project. */
      trigger?: components['schemas']['MetricTrigger'] | null
      /** @description New rules cannot use an archived metric; results keep it. */
      archived?: boolean
    }
    MetricActivityAnswer: {
      data: components['schemas']['MetricActivity']
    }
    SeenAttributesAnswer: {
      data: components['schemas']['SeenAttributes']
    }
    AudienceReachAnswer: {
      data: components['schemas']['AudienceReach']
    }
    ExclusionGroupPage: {
      data: components['schemas']['ExclusionGroup'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    ExclusionGroupAnswer: {
      data: components['schemas']['ExclusionGroup']
    }
    CreateExclusionGroupBody: {
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      /** @description The share of the visitors that each rule gets, in basis points. Fixed while rules have slots. Default: `2500`. */
      slotSize?: number
    }
    UpdateExclusionGroupBody: {
      name?: string
      /** @description The share of the visitors that each rule gets, in basis points. Fixed while rules have slots. */
      slotSize?: number
    }
    HoldoutPage: {
      data: components['schemas']['Holdout'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    HoldoutAnswer: {
      data: components['schemas']['Holdout']
    }
    CreateHoldoutBody: {
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      /** @description The share of the visitors who stay out, in basis points: at most 20 %. Fixed once a rule has used the holdout. */
      share: number
    }
    UpdateHoldoutBody: {
      name?: string
      /** @description The share of the visitors who stay out, in basis points: at most 20 %. Fixed once a rule has used the holdout. */
      share?: number
      /** @description New rules cannot use an archived holdout; rules that have it keep it. */
      archived?: boolean
    }
    ExperimentPage: {
      data: components['schemas']['Experiment'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    ExperimentAnswer: {
      data: components['schemas']['Experiment']
    }
    UpdateExperimentBody: {
      name?: string
      hypothesis?: string | null
      description?: string | null
      tags?: string[]
      /** @description Which failed checks pause the experiment. Takes effect at once. */
      autoPause?: components['schemas']['NewExperimentAutoPause']
      audienceIds?: string[]
      /** @description A tree of targeting conditions: `{ "all": [...] }`, `{ "any": [...] }`, `{ "not": ... }`, `{ "audience": id }`, `{ "segment": id }` or an attribute with an operator and a value. See docs/targeting.md. */
      conditions?: unknown
      /** @description The attribute with the bucketing unit. */
      bucketBy?: string
      /** @description Basis points: 0 to 10000. */
      trafficAllocation?: number
      salt?: string
      /** @description FEATURE: variations of the flag, by key. WEB: the variations of the experiment; until the launch, they can be added and removed. */
      variations?: components['schemas']['NewExperimentVariation'][]
      baselineVariationKey?: string
      metrics?: components['schemas']['NewExperimentMetrics']
      statistics?: components['schemas']['NewExperimentStatistics']
      /** @description The rule takes a slot of the group: its traffic is a share of the visitors in the slot. */
      exclusionGroupId?: string | null
      /** @description The rule leaves out the visitors of the holdout. */
      holdoutId?: string | null
      /** @description Visitors keep their variation after the weights have changed: in SDKs with a `stickyStore`, and in web experiments by the cookie `svc_kept`. */
      sticky?: boolean
      /** @description Visitors who get a variation without being counted. */
      allowlist?: {
        variationKey: string
        userIds: string[]
      }[]
      /** @description Where visitors take part: on any of these pages. Only for a web experiment. Default: none. */
      pages?: components['schemas']['WebPage'][]
      /**
       * @description When a visitor is counted, in every variation alike. PAGE: when a page matches. SEEN: when `activationSelector` is seen. CALL: when the page calls `svc.activate`. Only for a web experiment. Default: PAGE.
       * @enum {string}
       */
      activation?: 'PAGE' | 'SEEN' | 'CALL'
      /** @description Required when `activation` is SEEN, otherwise null. Default: null. */
      activationSelector?: string | null
      /**
       * @description AUTO: changes wait for a framework that hydrates the page, if there is one. EARLY: they never wait. HYDRATED: they always wait. Only for a web experiment. Default: AUTO.
       * @enum {string}
       */
      applyAt?: 'AUTO' | 'EARLY' | 'HYDRATED'
    }
    ExperimentMoveAnswer: {
      data: components['schemas']['ExperimentMove']
    }
    ExperimentPublicationAnswer: {
      data: components['schemas']['ExperimentPublication']
    }
    PublishExperimentBody: {
      comment?: string | null
      /** @description Begins a new phase: results count only what comes after the publish. If false, a phase begins only if visitors are reassigned, and each phase is compared separately. Default: `false`. */
      newPhase?: boolean
      /** @description Only shows what would change. Default: `false`. */
      dryRun?: boolean
      /** @description Required if visitors of a running experiment get a different variation. Default: `false`. */
      confirmReassignment?: boolean
    }
    DuplicateExperimentBody: {
      /** @description The environment of the copy. Default: the environment of the experiment. */
      envId?: string
    }
    WinnerDeclarationAnswer: {
      data: components['schemas']['WinnerDeclaration']
    }
    DeclareWinnerBody: {
      /** @description A variation of the experiment. */
      variationKey: string
      comment?: string | null
      /** @description Replaces the test with a delivery rule of the variation for the same audience, live at once. Default: `false`. */
      rollOut?: boolean
      /** @description Only shows what would change. Default: `false`. */
      dryRun?: boolean
    }
    SetExperimentScheduleBody: {
      /** @enum {string} */
      action: 'RUN' | 'PAUSE'
      /**
       * Format: date-time
       * @description ISO 8601 with an offset. Must be in the future, at most a year ahead.
       */
      runAt: string
      /** @description IANA time zone in which the dashboard shows the time. Only `runAt` decides when the schedule runs. Default: `"UTC"`. */
      timezone?: string
      note?: string | null
    }
    HandOffAnswer: {
      data: components['schemas']['HandOff']
    }
    VariationChangesAnswer: {
      data: components['schemas']['VariationChanges']
    }
    SavedVariationChangesAnswer: {
      data: components['schemas']['SavedVariationChanges']
    }
    SetVariationChangesBody: {
      /** @description In the order in which they are applied. */
      changes: (
        | components['schemas']['WebTextChangeInput']
        | components['schemas']['WebHtmlChangeInput']
        | components['schemas']['WebAttributeChangeInput']
        | components['schemas']['WebImageChangeInput']
        | components['schemas']['WebClassChangeInput']
        | components['schemas']['WebStyleChangeInput']
        | components['schemas']['WebHideChangeInput']
        | components['schemas']['WebInsertChangeInput']
        | components['schemas']['WebMoveChangeInput']
      )[]
      /** @description CSS that goes to the pages as it is. `@import` has no effect in it. */
      css?: string | null
      /** @description Checks everything and saves nothing. Default: `false`. */
      dryRun?: boolean
    }
    VariationCodeAnswer: {
      data: components['schemas']['VariationCode']
    }
    SavedVariationCodeAnswer: {
      data: components['schemas']['SavedVariationCode']
    }
    ExperimentTrialAnswer: {
      data: components['schemas']['ExperimentTrial']
    }
    CreatedPreviewAnswer: {
      data: components['schemas']['CreatedPreview']
    }
    PreviewPage: {
      data: components['schemas']['Preview'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    PreviewAnswer: {
      data: components['schemas']['Preview']
    }
    OpenedEditorSessionAnswer: {
      data: components['schemas']['OpenedEditorSession']
    }
    EditorSessionList: {
      data: components['schemas']['EditorSession'][]
    }
    EditorSessionCodeAnswer: {
      data: components['schemas']['EditorSessionCode']
    }
    PresenceAnswer: {
      data: components['schemas']['Presence']
    }
    CodeErrorList: {
      /** @description At most 200, those that most visitors have met first. */
      data: components['schemas']['CodeError'][]
    }
    RecentFiguresAnswer: {
      data: components['schemas']['RecentFigures']
    }
    ExperimentResultsOverTimeAnswer: {
      data: components['schemas']['ExperimentResultsOverTime']
    }
    RefreshedExperimentResultsAnswer: {
      data: components['schemas']['RefreshedExperimentResults']
    }
    ResultsOverTimeAnswer: {
      data: components['schemas']['ResultsOverTime']
    }
    RefreshedResultsAnswer: {
      data: components['schemas']['RefreshedResults']
    }
    SampleSizeAnswer: {
      data: components['schemas']['SampleSize']
    }
    JobAnswer: {
      data: components['schemas']['Job']
    }
    EraseVisitorsBody: {
      /** @description The ids of the visitors, as in the `unit` of events. Up to 100. */
      units: string[]
    }
    OrderPage: {
      data: components['schemas']['Order'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    OrderSummaryAnswer: {
      data: components['schemas']['OrderSummary']
    }
    OrderAnswer: {
      data: components['schemas']['Order']
    }
    CatalogAnswer: {
      data: components['schemas']['Catalog']
    }
    UpdateCatalogBody: {
      currency?: string | null
      /**
       * @description What one unit of another currency is worth in the reporting currency: a decimal text by currency. Replaces all rates.
       * @example {
       *       "USD": "0.92"
       *     }
       */
      rates?: {
        [key: string]: string
      }
      orders?: {
        /**
         * @description Which orders count. `SDK`: all. `CONFIRMED`: those that an import knows. `AUTO`: in each environment all until its first import of orders, then those that an import knows.
         * @enum {string}
         */
        trust?: 'AUTO' | 'SDK' | 'CONFIRMED'
      }
    }
    ProductPage: {
      data: components['schemas']['Product'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    ProductWithItemsAnswer: {
      data: components['schemas']['ProductWithItems']
    }
    CatalogCategoryPage: {
      data: components['schemas']['CatalogCategory'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    CatalogFacetAnswer: {
      data: components['schemas']['CatalogFacet']
    }
    CatalogRevisionPage: {
      data: components['schemas']['CatalogRevision'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    JobPage: {
      data: components['schemas']['Job'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    JobErrorPage: {
      data: components['schemas']['JobError'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    CatalogSourcePage: {
      data: components['schemas']['CatalogSource'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    CatalogSourceAnswer: {
      data: components['schemas']['CatalogSource']
    }
    CreateCatalogSourceBodyAuth: {
      /** @enum {string} */
      type: 'BASIC'
      username: string
      /** @description Answers show only its last four characters. A secret that is left out, or sent as it was shown, stays; if the address leads to a different host, it must be sent again. */
      secret?: string
    }
    CreateCatalogSourceBodyAuth3: {
      /** @enum {string} */
      type: 'HEADER'
      /** @example X-Api-Key */
      header: string
      /** @description Answers show only its last four characters. A secret that is left out, or sent as it was shown, stays; if the address leads to a different host, it must be sent again. */
      secret?: string
    }
    /** @description Default: `{}`. */
    CreateCatalogSourceBodyGuards: {
      /** @description Of a FULL source: the share of its live items that a sync can remove. Default: 0.2. */
      maxRemovedShare?: number
      /** @description The share of the rows that can be skipped. Default: 0.1. */
      maxSkippedShare?: number
      /** @description The share of the items whose price can more than double, fall below half or change its currency. Default: 0.2. */
      maxPriceShiftShare?: number
      /** @description Of a FULL source: how many items there must be. Default: 1. */
      minItems?: number
    }
    CreateCatalogSourceBody: {
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      /**
       * @description PRODUCTS: items. SUPPLEMENT: some fields of items. ORDERS: orders and refunds. Cannot change.
       * @enum {string}
       */
      type: 'PRODUCTS' | 'SUPPLEMENT' | 'ORDERS'
      /**
       * @description FULL: an item that the file does not have is removed. DELTA: only a row with `deleted` true removes one. Default: FULL; of ORDERS, DELTA, which they always are.
       * @enum {string}
       */
      mode?: 'FULL' | 'DELTA'
      /**
       * @description AUTO: found from the first bytes, the address and the content type. Default: AUTO.
       * @enum {string}
       */
      format?: 'AUTO' | 'GOOGLE_XML' | 'CSV' | 'TSV' | 'JSONL' | 'SHOPIFY_JSON'
      /**
       * @description Of a file without a mark of its encoding. Default: utf-8.
       * @enum {string}
       */
      encoding?: 'utf-8' | 'windows-1252'
      /**
       * @description An https URL on the public internet, as of a webhook. Null: files are only uploaded. Default: null.
       * @example https://shop.example/feed.xml
       */
      url?: string | null
      /** @description How the file is asked for. Only the first host of a redirect gets it. */
      auth?:
        | (
            | components['schemas']['CreateCatalogSourceBodyAuth']
            | {
                /** @enum {string} */
                type: 'BEARER'
                /** @description Answers show only its last four characters. A secret that is left out, or sent as it was shown, stays; if the address leads to a different host, it must be sent again. */
                secret?: string
              }
            | components['schemas']['CreateCatalogSourceBodyAuth3']
          )
        | null
      /** @description Our field → the name of a column, which replaces those that are known for it. Default: {}. */
      mapping?: {
        [key: string]: string
      }
      /**
       * @description Of prices without one. Default: null, and such rows are skipped.
       * @example EUR
       */
      defaultCurrency?: string | null
      /** @description When a sync is held instead of going live. A source of ORDERS has `maxSkippedShare` alone. */
      guards?: components['schemas']['CreateCatalogSourceBodyGuards']
      schedule?: (components['schemas']['EveryScheduleInput'] | components['schemas']['CronScheduleInput']) | null
      /** @description Of ORDERS alone: where the orders count. Default: Production. */
      envId?: string
      /** @description Of a SUPPLEMENT alone: what it sets. It wins over the values of the feed. */
      fields?: ('cost' | 'stock' | 'salePrice' | 'labels')[]
    }
    UpdateCatalogSourceBody: {
      name?: string
      /**
       * @description FULL: an item that the file does not have is removed. DELTA: only a row with `deleted` true removes one. Default: FULL; of ORDERS, DELTA, which they always are.
       * @enum {string}
       */
      mode?: 'FULL' | 'DELTA'
      /**
       * @description AUTO: found from the first bytes, the address and the content type. Default: AUTO.
       * @enum {string}
       */
      format?: 'AUTO' | 'GOOGLE_XML' | 'CSV' | 'TSV' | 'JSONL' | 'SHOPIFY_JSON'
      /**
       * @description Of a file without a mark of its encoding. Default: utf-8.
       * @enum {string}
       */
      encoding?: 'utf-8' | 'windows-1252'
      /**
       * @description An https URL on the public internet, as of a webhook. Null: files are only uploaded. Default: null.
       * @example https://shop.example/feed.xml
       */
      url?: string | null
      /** @description How the file is asked for. Only the first host of a redirect gets it. */
      auth?:
        | (
            | components['schemas']['CreateCatalogSourceBodyAuth']
            | {
                /** @enum {string} */
                type: 'BEARER'
                /** @description Answers show only its last four characters. A secret that is left out, or sent as it was shown, stays; if the address leads to a different host, it must be sent again. */
                secret?: string
              }
            | components['schemas']['CreateCatalogSourceBodyAuth3']
          )
        | null
      /** @description Our field → the name of a column, which replaces those that are known for it. Default: {}. */
      mapping?: {
        [key: string]: string
      }
      /**
       * @description Of prices without one. Default: null, and such rows are skipped.
       * @example EUR
       */
      defaultCurrency?: string | null
      /** @description Replaced as a whole. */
      guards?: components['schemas']['CatalogSourceGuards']
      schedule?: (components['schemas']['EveryScheduleInput'] | components['schemas']['CronScheduleInput']) | null
      /** @description Of ORDERS alone: where the orders count. Default: Production. */
      envId?: string
      /** @description Of a SUPPLEMENT alone: what it sets. It wins over the values of the feed. */
      fields?: ('cost' | 'stock' | 'salePrice' | 'labels')[]
    }
    DatasetPage: {
      data: components['schemas']['Dataset'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    DatasetAnswer: {
      data: components['schemas']['Dataset']
    }
    CreateDatasetBody: {
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      /**
       * @description INTERACTIONS: what visitors did with products, derived from events and orders. NEIGHBOURS: which products go together, uploaded. Cannot change.
       * @enum {string}
       */
      kind: 'INTERACTIONS' | 'NEIGHBOURS'
      /** @description Of INTERACTIONS alone: which events they are. */
      derivation?: components['schemas']['DatasetDerivation'] | null
      /** @description When a version is held instead of going live. Default: `{}`. */
      guards?: {
        /** @description The share of the rows of the active version that can be gone. Default: 0.5. */
        maxRowDrop?: number
        /** @description The share of rows whose product the catalog does not have. An empty catalog is not asked. Default: 0.2. */
        maxUnknownShare?: number
      }
      /** @description Of INTERACTIONS alone: when a version is derived without a request. Default: null. */
      schedule?: (components['schemas']['EveryScheduleInput'] | components['schemas']['CronScheduleInput']) | null
    }
    UpdateDatasetBody: {
      name?: string
      /** @description Replaced as a whole. */
      derivation?: components['schemas']['DatasetDerivation'] | null
      /** @description Replaced as a whole. */
      guards?: {
        /** @description The share of the rows of the active version that can be gone. Default: 0.5. */
        maxRowDrop?: number
        /** @description The share of rows whose product the catalog does not have. An empty catalog is not asked. Default: 0.2. */
        maxUnknownShare?: number
      }
      /** @description Of INTERACTIONS alone: when a version is derived without a request. Default: null. */
      schedule?: (components['schemas']['EveryScheduleInput'] | components['schemas']['CronScheduleInput']) | null
    }
    DatasetVersionPage: {
      data: components['schemas']['DatasetVersion'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    GetDatasetSampleAnswer: {
      data: (components['schemas']['DatasetInteraction'] | components['schemas']['DatasetNeighbour'])[]
    }
    DatasetVersionAnswer: {
      data: components['schemas']['DatasetVersion']
    }
    ActivateDatasetVersionBody: {
      /** @description Whether models that learn from it run at once. Default: false. */
      run?: boolean
    }
    RollBackDatasetBody: {
      /** @description Whether models that learn from it run at once. Default: false. */
      run?: boolean
    }
    RecommendationModelPage: {
      data: components['schemas']['RecommendationModel'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    RecommendationModelAnswer: {
      data: components['schemas']['RecommendationModel']
    }
    CreateRecommendationModelBody: {
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      /**
       * @description How products are chosen. Cannot change.
       * @enum {string}
       */
      strategy: 'POPULAR' | 'TRENDING' | 'VIEWED_TOGETHER' | 'BOUGHT_TOGETHER' | 'SIMILAR' | 'FOR_YOU' | 'IMPORTED'
      /** @description What the model learns from: for VIEWED_TOGETHER, BOUGHT_TOGETHER and FOR_YOU a dataset of INTERACTIONS, for IMPORTED one of NEIGHBOURS. All others have none. Default: null. */
      datasetId?: string | null
      /** @description Of POPULAR and TRENDING alone: what they count. All other strategies have none. Default: `{}`. */
      settings?: {
        /** @description Whose events are read. Default: Production. */
        envId?: string
        /**
         * @description Keys of tracked events with a `productId` in their properties, and `order` → how much one of them counts. Default: {"product_viewed":1,"added_to_cart":3,"order":5}.
         * @example {
         *       "product_viewed": 1,
         *       "added_to_cart": 3,
         *       "order": 5
         *     }
         */
        actions?: {
          [key: string]: number
        }
      }
      /** @description When it runs by itself. Null: only when it is asked to. Default: null. */
      schedule?: (components['schemas']['EveryScheduleInput'] | components['schemas']['CronScheduleInput']) | null
    }
    UpdateRecommendationModelBody: {
      name?: string
      /** @description What the model learns from: for VIEWED_TOGETHER, BOUGHT_TOGETHER and FOR_YOU a dataset of INTERACTIONS, for IMPORTED one of NEIGHBOURS. All others have none. Default: null. */
      datasetId?: string | null
      /** @description Replaced as a whole. */
      settings?: {
        /** @description Whose events are read. Default: Production. */
        envId?: string
        /**
         * @description Keys of tracked events with a `productId` in their properties, and `order` → how much one of them counts. Default: {"product_viewed":1,"added_to_cart":3,"order":5}.
         * @example {
         *       "product_viewed": 1,
         *       "added_to_cart": 3,
         *       "order": 5
         *     }
         */
        actions?: {
          [key: string]: number
        }
      }
      /** @description When it runs by itself. Null: only when it is asked to. Default: null. */
      schedule?: (components['schemas']['EveryScheduleInput'] | components['schemas']['CronScheduleInput']) | null
    }
    RecommendationRunPage: {
      data: components['schemas']['RecommendationRun'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    RecommendationRunAnswer: {
      data: components['schemas']['RecommendationRun']
    }
    PlacementPage: {
      data: components['schemas']['Placement'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    PlacementAnswer: {
      data: components['schemas']['Placement']
    }
    CreatePlacementBodyVariantsPin: {
      productId: string
      /** @description Counted from 0. */
      position: number
      from?: string | null
      until?: string | null
    }
    CreatePlacementBodyVariants: {
      /** @description What fills the list, in this order: POPULAR, TRENDING, VIEWED_TOGETHER, BOUGHT_TOGETHER, SIMILAR, FOR_YOU, RECENTLY_VIEWED, IMPORTED, or the key of a model. Empty: the list has only pins. */
      strategies: string[]
      /** @description Which items can be shown. Null: all. Conditions about items, as in targeting: `{ "all": [...] }`, `{ "any": [...] }`, `{ "not": ... }`, or a field with an operator and a value. Fields are those of an item, such as `price` (a number), `brand`, `categories` and `attributes.size`. */
      filter?: unknown
      /** @description Only products of the deepest category of the first of `productIds`. Default: `false`. */
      sameCategory?: boolean
      /** @description Leaves out what the visitor has bought. Default: `true`. */
      excludeBought?: boolean
      /** @description The most products of one brand in a list. Null: no limit. */
      maxPerBrand?: number | null
      /** @description The most products of one category in a list. Null: no limit. */
      maxPerCategory?: number | null
      /** @description Default: `[]`. */
      boosts?: (
        | {
            /** @description Conditions about items, as in targeting: `{ "all": [...] }`, `{ "any": [...] }`, `{ "not": ... }`, or a field with an operator and a value. Fields are those of an item, such as `price` (a number), `brand`, `categories` and `attributes.size`. */
            when: unknown
            /** @description What the score is multiplied by. */
            factor: number
          }
        | {
            /**
             * @description `brand`, `category` (the deepest) or `attributes.<name>`.
             * @example brand
             */
            sameAs: string
            /** @description What the score is multiplied by. */
            factor: number
          }
      )[]
      /** @description Default: `[]`. */
      pins?: components['schemas']['CreatePlacementBodyVariantsPin'][]
    }
    CreatePlacementBody: {
      /** @description Default: made from the name. Cannot change. */
      key?: string
      name: string
      /** @description The most products of a list. Default: `8`. */
      limit?: number
      /** @description Whether lists use what the service knows of a visitor: its last products, and what it bought. SDK keys are public, so the list of a guessed visitor then tells what that visitor did. Default: `false`. */
      history?: boolean
      /** @description Whether items in PREORDER and BACKORDER can be shown. Default: `false`. */
      includePreorder?: boolean
      /** @description By name. A request names the variant that it gets; without a name, it is `default`. So the value of a flag can choose it. */
      variants: {
        [key: string]: components['schemas']['CreatePlacementBodyVariants']
      }
    }
    UpdatePlacementBody: {
      name?: string
      /** @description The most products of a list. */
      limit?: number
      /** @description Whether lists use what the service knows of a visitor: its last products, and what it bought. SDK keys are public, so the list of a guessed visitor then tells what that visitor did. */
      history?: boolean
      /** @description Whether items in PREORDER and BACKORDER can be shown. */
      includePreorder?: boolean
      /** @description By name. A request names the variant that it gets; without a name, it is `default`. So the value of a flag can choose it. */
      variants?: {
        [key: string]: components['schemas']['CreatePlacementBodyVariants']
      }
    }
    RecommendationPreviewAnswer: {
      data: components['schemas']['RecommendationPreview']
    }
    PreviewPlacementBody: {
      placement?: string
      /** @description The variant of the placement. One that the placement does not have shows no products. Default: `"default"`. */
      variant?: string
      /** @description The visitor. Only placements with `history` use it. */
      unit?: string | null
      /** @description What the page shows, or what is in the cart. It is not recommended. */
      productIds?: (string | number)[]
      /**
       * @description For POPULAR and TRENDING: this category and those below it.
       * @example Clothing > Shirts
       */
      category?: string | null
      /** @description What the visitor did, the latest first. */
      recent?: {
        productId: string | number
        /** @description With `order`, the visitor has bought the product, and `productId` can also be the id of an item. Default: `"product_viewed"`. */
        action?: string
      }[]
      /** @description Conditions that items must pass besides those of the placement: at most 10, without `matches`, and not about `cost`, `stock`, `sourceId` and `description`. */
      filter?: unknown
      exclude?: (string | number)[]
      /** @description The most products. Default: the `limit` of the placement. */
      limit?: number
    }
    MeasurePlacementBody: {
      /** @description The environment of the test. Default: Production. */
      envId?: string
      /** @description The share of visitors who get no recommendations, in basis points. Default: `500`. */
      controlShare?: number
    }
    WebhookPage: {
      data: components['schemas']['Webhook'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    CreatedWebhookAnswer: {
      data: components['schemas']['CreatedWebhook']
    }
    CreateWebhookBody: {
      name: string
      /** @description Default: made from the name. Cannot change. */
      key?: string
      url: string
      events: (
        | 'experiment.created'
        | 'experiment.updated'
        | 'experiment.archived'
        | 'experiment.unarchived'
        | 'experiment.deleted'
        | 'experiment.launched'
        | 'experiment.paused'
        | 'experiment.resumed'
        | 'experiment.completed'
        | 'experiment.changes_published'
        | 'experiment.schedule_failed'
        | 'experiment.visual_changes.saved'
        | 'experiment.winner_declared'
        | 'experiment.results_ready'
        | 'experiment.srm_failed'
        | 'experiment.guardrail_breached'
        | 'experiment.guardrail_metric_breached'
        | 'experiment.code_error_detected'
        | 'flag.created'
        | 'flag.updated'
        | 'flag.archived'
        | 'flag.unarchived'
        | 'flag.deleted'
        | 'flag.published'
        | 'flag.rule_activated'
        | 'flag.schedule_updated'
        | 'flag.schedule_failed'
        | 'flag.srm_failed'
        | 'flag.guardrail_breached'
        | 'flag.results_ready'
        | 'audience.created'
        | 'audience.updated'
        | 'audience.deleted'
        | 'segment.created'
        | 'segment.updated'
        | 'segment.deleted'
        | 'metric.created'
        | 'metric.updated'
        | 'metric.deleted'
        | 'exclusion_group.created'
        | 'exclusion_group.updated'
        | 'exclusion_group.deleted'
        | 'holdout.created'
        | 'holdout.updated'
        | 'holdout.deleted'
        | 'catalog_source.created'
        | 'catalog_source.updated'
        | 'catalog_source.deleted'
        | 'dataset.created'
        | 'dataset.updated'
        | 'dataset.deleted'
        | 'recommendation_model.created'
        | 'recommendation_model.updated'
        | 'recommendation_model.deleted'
        | 'placement.created'
        | 'placement.updated'
        | 'placement.deleted'
        | 'commerce.import.completed'
        | 'commerce.job_failed'
        | 'recommendation.run.completed'
        | 'dataset.version.activated'
        | 'catalog.feed_sync.completed'
        | 'catalog.updated'
        | 'job.updated'
        | 'visitor.erased'
        | 'project.created'
        | 'project.updated'
        | 'project.deleted'
        | 'environment.created'
        | 'environment.updated'
        | 'environment.deleted'
        | 'environment.sdk_key_created'
        | 'environment.sdk_key_revoked'
        | 'environment.ingest_key_created'
        | 'environment.ingest_key_revoked'
        | 'webhook.created'
        | 'webhook.updated'
        | 'webhook.deleted'
        | 'webhook.secret_rotated'
        | 'webhook.tested'
        | 'webhook.delivery_retried'
        | 'webhook.disabled'
        | 'destination.created'
        | 'destination.updated'
        | 'destination.deleted'
        | 'destination.tested'
        | 'destination.delivery_retried'
        | 'destination.disabled'
        | 'token.expiring'
        | 'webhook.test'
      )[]
    }
    WebhookAnswer: {
      data: components['schemas']['Webhook']
    }
    UpdateWebhookBody: {
      name?: string
      url?: string
      events?: (
        | 'experiment.created'
        | 'experiment.updated'
        | 'experiment.archived'
        | 'experiment.unarchived'
        | 'experiment.deleted'
        | 'experiment.launched'
        | 'experiment.paused'
        | 'experiment.resumed'
        | 'experiment.completed'
        | 'experiment.changes_published'
        | 'experiment.schedule_failed'
        | 'experiment.visual_changes.saved'
        | 'experiment.winner_declared'
        | 'experiment.results_ready'
        | 'experiment.srm_failed'
        | 'experiment.guardrail_breached'
        | 'experiment.guardrail_metric_breached'
        | 'experiment.code_error_detected'
        | 'flag.created'
        | 'flag.updated'
        | 'flag.archived'
        | 'flag.unarchived'
        | 'flag.deleted'
        | 'flag.published'
        | 'flag.rule_activated'
        | 'flag.schedule_updated'
        | 'flag.schedule_failed'
        | 'flag.srm_failed'
        | 'flag.guardrail_breached'
        | 'flag.results_ready'
        | 'audience.created'
        | 'audience.updated'
        | 'audience.deleted'
        | 'segment.created'
        | 'segment.updated'
        | 'segment.deleted'
        | 'metric.created'
        | 'metric.updated'
        | 'metric.deleted'
        | 'exclusion_group.created'
        | 'exclusion_group.updated'
        | 'exclusion_group.deleted'
        | 'holdout.created'
        | 'holdout.updated'
        | 'holdout.deleted'
        | 'catalog_source.created'
        | 'catalog_source.updated'
        | 'catalog_source.deleted'
        | 'dataset.created'
        | 'dataset.updated'
        | 'dataset.deleted'
        | 'recommendation_model.created'
        | 'recommendation_model.updated'
        | 'recommendation_model.deleted'
        | 'placement.created'
        | 'placement.updated'
        | 'placement.deleted'
        | 'commerce.import.completed'
        | 'commerce.job_failed'
        | 'recommendation.run.completed'
        | 'dataset.version.activated'
        | 'catalog.feed_sync.completed'
        | 'catalog.updated'
        | 'job.updated'
        | 'visitor.erased'
        | 'project.created'
        | 'project.updated'
        | 'project.deleted'
        | 'environment.created'
        | 'environment.updated'
        | 'environment.deleted'
        | 'environment.sdk_key_created'
        | 'environment.sdk_key_revoked'
        | 'environment.ingest_key_created'
        | 'environment.ingest_key_revoked'
        | 'webhook.created'
        | 'webhook.updated'
        | 'webhook.deleted'
        | 'webhook.secret_rotated'
        | 'webhook.tested'
        | 'webhook.delivery_retried'
        | 'webhook.disabled'
        | 'destination.created'
        | 'destination.updated'
        | 'destination.deleted'
        | 'destination.tested'
        | 'destination.delivery_retried'
        | 'destination.disabled'
        | 'token.expiring'
        | 'webhook.test'
      )[]
      enabled?: boolean
    }
    RotatedSecretAnswer: {
      data: components['schemas']['RotatedSecret']
    }
    DeliveryAnswer: {
      data: components['schemas']['Delivery']
    }
    DeliveryPage: {
      data: components['schemas']['Delivery'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    ReplayedDeliveriesAnswer: {
      data: components['schemas']['ReplayedDeliveries']
    }
    ReplayDeliveriesBody: {
      /**
       * Format: date-time
       * @description Start of the range, inclusive: only deliveries created at or after this time.
       */
      since: string
      /**
       * Format: date-time
       * @description End of the range, exclusive: only deliveries created before this time.
       */
      until: string
      /** @description `true` also sends successful deliveries again. Default: `false`. */
      includeDelivered?: boolean
    }
    DestinationPage: {
      data: components['schemas']['Destination'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    SavedDestinationAnswer: {
      data: components['schemas']['SavedDestination']
    }
    CreateDestinationBody:
      | components['schemas']['NewSlackDestination']
      | components['schemas']['NewTeamsDestination']
      | components['schemas']['NewDiscordDestination']
      | components['schemas']['NewGoogleChatDestination']
      | components['schemas']['NewJiraDestination']
      | components['schemas']['NewLinearDestination']
      | components['schemas']['NewGithubDestination']
      | components['schemas']['NewPagerdutyDestination']
      | components['schemas']['NewEmailDestination']
      | components['schemas']['NewTemplateDestination']
    DestinationAnswer: {
      data: components['schemas']['Destination']
    }
    UpdateDestinationBody: {
      name?: string
      /** @description The fields to change. Omitted secrets do not change. */
      config?: {
        [key: string]: unknown
      }
      events?: (
        | 'experiment.created'
        | 'experiment.updated'
        | 'experiment.archived'
        | 'experiment.unarchived'
        | 'experiment.deleted'
        | 'experiment.launched'
        | 'experiment.paused'
        | 'experiment.resumed'
        | 'experiment.completed'
        | 'experiment.changes_published'
        | 'experiment.schedule_failed'
        | 'experiment.visual_changes.saved'
        | 'experiment.winner_declared'
        | 'experiment.results_ready'
        | 'experiment.srm_failed'
        | 'experiment.guardrail_breached'
        | 'experiment.guardrail_metric_breached'
        | 'experiment.code_error_detected'
        | 'flag.created'
        | 'flag.updated'
        | 'flag.archived'
        | 'flag.unarchived'
        | 'flag.deleted'
        | 'flag.published'
        | 'flag.rule_activated'
        | 'flag.schedule_updated'
        | 'flag.schedule_failed'
        | 'flag.srm_failed'
        | 'flag.guardrail_breached'
        | 'flag.results_ready'
        | 'audience.created'
        | 'audience.updated'
        | 'audience.deleted'
        | 'segment.created'
        | 'segment.updated'
        | 'segment.deleted'
        | 'metric.created'
        | 'metric.updated'
        | 'metric.deleted'
        | 'exclusion_group.created'
        | 'exclusion_group.updated'
        | 'exclusion_group.deleted'
        | 'holdout.created'
        | 'holdout.updated'
        | 'holdout.deleted'
        | 'catalog_source.created'
        | 'catalog_source.updated'
        | 'catalog_source.deleted'
        | 'dataset.created'
        | 'dataset.updated'
        | 'dataset.deleted'
        | 'recommendation_model.created'
        | 'recommendation_model.updated'
        | 'recommendation_model.deleted'
        | 'placement.created'
        | 'placement.updated'
        | 'placement.deleted'
        | 'commerce.import.completed'
        | 'commerce.job_failed'
        | 'recommendation.run.completed'
        | 'dataset.version.activated'
        | 'catalog.feed_sync.completed'
        | 'catalog.updated'
        | 'job.updated'
        | 'visitor.erased'
        | 'project.created'
        | 'project.updated'
        | 'project.deleted'
        | 'environment.created'
        | 'environment.updated'
        | 'environment.deleted'
        | 'environment.sdk_key_created'
        | 'environment.sdk_key_revoked'
        | 'environment.ingest_key_created'
        | 'environment.ingest_key_revoked'
        | 'webhook.created'
        | 'webhook.updated'
        | 'webhook.deleted'
        | 'webhook.secret_rotated'
        | 'webhook.tested'
        | 'webhook.delivery_retried'
        | 'webhook.disabled'
        | 'destination.created'
        | 'destination.updated'
        | 'destination.deleted'
        | 'destination.tested'
        | 'destination.delivery_retried'
        | 'destination.disabled'
        | 'token.expiring'
        | 'webhook.test'
      )[]
      /** @description Sends only events of these environments, and events without an environment. Null: events of all environments. */
      environmentIds?: string[] | null
      /** @description Whether the destination gets the events of every project. */
      allProjects?: boolean
      template?: components['schemas']['MessageTemplateInput']
      /**
       * @description When events are sent: at once, every hour, or once a day. Safety events never wait.
       * @enum {string}
       */
      digest?: 'NONE' | 'HOURLY' | 'DAILY'
      /** @description Whether the destination keeps the quiet hours of the organization. Safety events never wait. */
      quietHours?: boolean
      enabled?: boolean
    }
    DestinationPreviewAnswer: {
      data: components['schemas']['DestinationPreview']
    }
    PreviewDestinationBody: {
      /** @enum {string} */
      kind:
        | 'SLACK'
        | 'TEAMS'
        | 'DISCORD'
        | 'GOOGLE_CHAT'
        | 'JIRA'
        | 'LINEAR'
        | 'GITHUB'
        | 'PAGERDUTY'
        | 'EMAIL'
        | 'TEMPLATE'
      config: {
        [key: string]: unknown
      }
      template?: components['schemas']['MessageTemplateInput']
      /** @description Omitted secrets are taken from this destination. */
      destinationId?: string
      /** @description A delivery of the destination; the preview shows it as it would be sent now. */
      recordId?: string
      /** @description An event that has happened. */
      eventId?: string
      /**
       * @description The latest event with this name, or else an example.
       * @enum {string}
       */
      event?:
        | 'experiment.created'
        | 'experiment.updated'
        | 'experiment.archived'
        | 'experiment.unarchived'
        | 'experiment.deleted'
        | 'experiment.launched'
        | 'experiment.paused'
        | 'experiment.resumed'
        | 'experiment.completed'
        | 'experiment.changes_published'
        | 'experiment.schedule_failed'
        | 'experiment.visual_changes.saved'
        | 'experiment.winner_declared'
        | 'experiment.results_ready'
        | 'experiment.srm_failed'
        | 'experiment.guardrail_breached'
        | 'experiment.guardrail_metric_breached'
        | 'experiment.code_error_detected'
        | 'flag.created'
        | 'flag.updated'
        | 'flag.archived'
        | 'flag.unarchived'
        | 'flag.deleted'
        | 'flag.published'
        | 'flag.rule_activated'
        | 'flag.schedule_updated'
        | 'flag.schedule_failed'
        | 'flag.srm_failed'
        | 'flag.guardrail_breached'
        | 'flag.results_ready'
        | 'audience.created'
        | 'audience.updated'
        | 'audience.deleted'
        | 'segment.created'
        | 'segment.updated'
        | 'segment.deleted'
        | 'metric.created'
        | 'metric.updated'
        | 'metric.deleted'
        | 'exclusion_group.created'
        | 'exclusion_group.updated'
        | 'exclusion_group.deleted'
        | 'holdout.created'
        | 'holdout.updated'
        | 'holdout.deleted'
        | 'catalog_source.created'
        | 'catalog_source.updated'
        | 'catalog_source.deleted'
        | 'dataset.created'
        | 'dataset.updated'
        | 'dataset.deleted'
        | 'recommendation_model.created'
        | 'recommendation_model.updated'
        | 'recommendation_model.deleted'
        | 'placement.created'
        | 'placement.updated'
        | 'placement.deleted'
        | 'commerce.import.completed'
        | 'commerce.job_failed'
        | 'recommendation.run.completed'
        | 'dataset.version.activated'
        | 'catalog.feed_sync.completed'
        | 'catalog.updated'
        | 'job.updated'
        | 'visitor.erased'
        | 'project.created'
        | 'project.updated'
        | 'project.deleted'
        | 'environment.created'
        | 'environment.updated'
        | 'environment.deleted'
        | 'environment.sdk_key_created'
        | 'environment.sdk_key_revoked'
        | 'environment.ingest_key_created'
        | 'environment.ingest_key_revoked'
        | 'webhook.created'
        | 'webhook.updated'
        | 'webhook.deleted'
        | 'webhook.secret_rotated'
        | 'webhook.tested'
        | 'webhook.delivery_retried'
        | 'webhook.disabled'
        | 'destination.created'
        | 'destination.updated'
        | 'destination.deleted'
        | 'destination.tested'
        | 'destination.delivery_retried'
        | 'destination.disabled'
        | 'token.expiring'
        | 'webhook.test'
    }
    OpenTicketList: {
      data: components['schemas']['OpenTicket'][]
    }
    ReplayDestinationDeliveriesBody: {
      /**
       * Format: date-time
       * @description Start of the range, inclusive: only deliveries created at or after this time.
       */
      since: string
      /**
       * Format: date-time
       * @description End of the range, exclusive: only deliveries created before this time.
       */
      until: string
      /** @description `true` also sends successful deliveries again. Default: `false`. */
      includeDelivered?: boolean
    }
    NotificationSettingsAnswer: {
      data: components['schemas']['NotificationSettings']
    }
    NotificationPreviewAnswer: {
      data: components['schemas']['NotificationPreview']
    }
    PreviewNotificationsBody: {
      /** @description Filters the events that webhooks and destinations receive by words in names and keys. Safety events are always sent. */
      notifications: {
        /** @enum {string} */
        mode: 'INCLUDE' | 'EXCLUDE'
        keywords: string[]
      } | null
      /** @description How many days of events to check. Default: `7`. */
      days?: number
    }
    MySubscriptionsAnswer: {
      data: components['schemas']['MySubscriptions']
    }
    ReplaceMySubscriptionsBodySubscription: {
      projectId: string
      /** @description `SAFETY` includes all safety events, also future ones. An empty list means no mail. */
      events:
        | 'SAFETY'
        | (
            | (
                | 'experiment.created'
                | 'experiment.updated'
                | 'experiment.archived'
                | 'experiment.unarchived'
                | 'experiment.deleted'
                | 'experiment.launched'
                | 'experiment.paused'
                | 'experiment.resumed'
                | 'experiment.completed'
                | 'experiment.changes_published'
                | 'experiment.schedule_failed'
                | 'experiment.visual_changes.saved'
                | 'experiment.winner_declared'
                | 'experiment.results_ready'
                | 'experiment.srm_failed'
                | 'experiment.guardrail_breached'
                | 'experiment.guardrail_metric_breached'
                | 'experiment.code_error_detected'
                | 'flag.created'
                | 'flag.updated'
                | 'flag.archived'
                | 'flag.unarchived'
                | 'flag.deleted'
                | 'flag.published'
                | 'flag.rule_activated'
                | 'flag.schedule_updated'
                | 'flag.schedule_failed'
                | 'flag.srm_failed'
                | 'flag.guardrail_breached'
                | 'flag.results_ready'
                | 'audience.created'
                | 'audience.updated'
                | 'audience.deleted'
                | 'segment.created'
                | 'segment.updated'
                | 'segment.deleted'
                | 'metric.created'
                | 'metric.updated'
                | 'metric.deleted'
                | 'exclusion_group.created'
                | 'exclusion_group.updated'
                | 'exclusion_group.deleted'
                | 'holdout.created'
                | 'holdout.updated'
                | 'holdout.deleted'
                | 'catalog_source.created'
                | 'catalog_source.updated'
                | 'catalog_source.deleted'
                | 'dataset.created'
                | 'dataset.updated'
                | 'dataset.deleted'
                | 'recommendation_model.created'
                | 'recommendation_model.updated'
                | 'recommendation_model.deleted'
                | 'placement.created'
                | 'placement.updated'
                | 'placement.deleted'
                | 'commerce.import.completed'
                | 'commerce.job_failed'
                | 'recommendation.run.completed'
                | 'dataset.version.activated'
                | 'catalog.feed_sync.completed'
                | 'catalog.updated'
                | 'job.updated'
                | 'visitor.erased'
                | 'project.created'
                | 'project.updated'
                | 'project.deleted'
                | 'environment.created'
                | 'environment.updated'
                | 'environment.deleted'
                | 'environment.sdk_key_created'
                | 'environment.sdk_key_revoked'
                | 'environment.ingest_key_created'
                | 'environment.ingest_key_revoked'
                | 'webhook.created'
                | 'webhook.updated'
                | 'webhook.deleted'
                | 'webhook.secret_rotated'
                | 'webhook.tested'
                | 'webhook.delivery_retried'
                | 'webhook.disabled'
                | 'destination.created'
                | 'destination.updated'
                | 'destination.deleted'
                | 'destination.tested'
                | 'destination.delivery_retried'
                | 'destination.disabled'
                | 'token.expiring'
                | 'webhook.test'
              )[]
            | []
          )
      /**
       * @description When events are sent: at once, every hour, or once a day. Safety events never wait. Default: `"NONE"`.
       * @enum {string}
       */
      digest?: 'NONE' | 'HOURLY' | 'DAILY'
    }
    ReplaceMySubscriptionsBody: {
      /** @description Omitted projects get the default of the role again. */
      subscriptions: components['schemas']['ReplaceMySubscriptionsBodySubscription'][]
    }
    MailingAnswer: {
      data: components['schemas']['Mailing']
    }
    CheckMailAddressAnswer: {
      data: {
        email: string
        organization: string
      }
    }
    CheckMailAddressBody: {
      link: string
    }
    ConfirmMailAddressBody: {
      link: string
    }
    EventPage: {
      data: components['schemas']['Event'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    AuditEntryPage: {
      data: components['schemas']['AuditEntry'][]
      page: {
        nextCursor: string | null
        hasMore: boolean
      }
    }
    NameOfIdList: {
      data: components['schemas']['NameOfId'][]
    }
    FindNamesBody: {
      /** @description 1 to 100 ids of any kind. */
      ids: string[]
    }
    AttentionAnswer: {
      data: components['schemas']['Attention']
    }
    PublicationAnswer: {
      data: components['schemas']['Publication']
    }
    PublishEnvironmentBody: {
      /** @description Publish only the staged changes of these flags. Null publishes those of all flags and audiences. */
      flagIds?: string[] | null
      comment?: string | null
      /** @description Only shows what would change. Default: `false`. */
      dryRun?: boolean
      /** @description The visitors of a preview: 1 to 10000, or `GENERATE` for 1000 made from the attributes and values that the rules name. They are not stored. */
      visitors?: components['schemas']['PreviewVisitor'][] | 'GENERATE'
    }
    PublishPreviewAnswer: {
      data: components['schemas']['PublishPreview']
    }
    PreviewStagedChangesBody: {
      /** @description Preview the staged changes of these flags only. Null previews those of all flags and audiences. */
      flagIds?: string[] | null
      /** @description The visitors of a preview: 1 to 10000, or `GENERATE` for 1000 made from the attributes and values that the rules name. They are not stored. */
      visitors: components['schemas']['PreviewVisitor'][] | 'GENERATE'
    }
    PreviewDraftsBodyDraft: {
      defaultVariationKey: string
      /** @description The rules in evaluation order. An existing rule is matched by `id`, or else by `key`; any other rule is new. Omitted rules are deleted, and omitted fields get their defaults, except for the salt, which stays the same. */
      rules: (
        | components['schemas']['DraftedDeliveryRule']
        | components['schemas']['DraftedAbTestRule']
        | components['schemas']['UnchangedRule']
      )[]
      /** @description If you omit it, the lists do not change. `ruleId` can be the key of a new rule. */
      overrides?: {
        environmentAllowlist: {
          variationKey: string
          userIds: string[]
        }[]
        ruleAllowlists: {
          ruleId: string
          entries: {
            variationKey: string
            userIds: string[]
          }[]
        }[]
      }
      flagId: string
    }
    PreviewDraftsBody: {
      /** @description Preview the staged changes of these flags only. Null previews those of all flags and audiences. */
      flagIds?: string[] | null
      /** @description The visitors of a preview: 1 to 10000, or `GENERATE` for 1000 made from the attributes and values that the rules name. They are not stored. */
      visitors: components['schemas']['PreviewVisitor'][] | 'GENERATE'
      /** @description Complete drafts, in the form that replaces a draft. Other flags keep their drafts. */
      drafts?: components['schemas']['PreviewDraftsBodyDraft'][]
      /** @description The conditions of audiences, in the form of an edit. */
      audiences?: {
        audienceId: string
        /** @description A tree of targeting conditions: `{ "all": [...] }`, `{ "any": [...] }`, `{ "not": ... }`, `{ "audience": id }`, `{ "segment": id }` or an attribute with an operator and a value. See docs/targeting.md. */
        conditions: unknown
      }[]
    }
    CatalogBatchAnswer: {
      data: components['schemas']['CatalogBatch']
    }
    SaveItemsBody: {
      /** @description Items to add, or to replace as a whole. Default: `[]`. */
      upsert?: components['schemas']['SentCatalogItem'][]
      /** @description The `itemId` of each item to remove. Default: `[]`. */
      delete?: string[]
    }
    CatalogSourcePreviewAnswer: {
      data: components['schemas']['CatalogSourcePreview']
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  getMe: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MeAnswer']
        }
      }
    }
  }
  getOrganization: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['OrganizationAnswer']
        }
      }
    }
  }
  getOrganizationSettings: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['OrganizationSettingsAnswer']
        }
      }
    }
  }
  updateOrganization: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateOrganizationBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['OrganizationSettingsAnswer']
        }
      }
    }
  }
  listMembers: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemberPage']
        }
      }
    }
  }
  getMember: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        userId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemberAnswer']
        }
      }
    }
  }
  removeMember: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        userId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  updateMember: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        userId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateMemberBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemberAnswer']
        }
      }
    }
  }
  leaveOrganization: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  createPasswordResetLink: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        userId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ResetLinkAnswer']
        }
      }
    }
  }
  listInvitations: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['InvitationPage']
        }
      }
    }
  }
  inviteMember: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['InviteMemberBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SentInvitationAnswer']
        }
      }
    }
  }
  resendInvitation: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        invitationId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SentInvitationAnswer']
        }
      }
    }
  }
  revokeInvitation: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        invitationId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  listRoles: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RolePage']
        }
      }
    }
  }
  createRole: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateRoleBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RoleAnswer']
        }
      }
    }
  }
  getRole: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        roleId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RoleAnswer']
        }
      }
    }
  }
  deleteRole: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        roleId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  updateRole: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        roleId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateRoleBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RoleAnswer']
        }
      }
    }
  }
  listCapabilities: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CapabilityList']
        }
      }
    }
  }
  listServiceTokens: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ServiceTokenPage']
        }
      }
    }
  }
  createServiceToken: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateServiceTokenBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CreateServiceTokenAnswer']
        }
      }
    }
  }
  rotateServiceToken: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        tokenId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RotateServiceTokenAnswer']
        }
      }
    }
  }
  revokeServiceToken: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        tokenId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ServiceTokenAnswer']
        }
      }
    }
  }
  listScopes: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ScopeList']
        }
      }
    }
  }
  updateProfile: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateProfileBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UpdateProfileAnswer']
        }
      }
    }
  }
  requestEmailChange: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['RequestEmailChangeBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  confirmEmailChange: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ConfirmEmailChangeBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ConfirmEmailChangeAnswer']
        }
      }
    }
  }
  getSession: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['StandingAnswer']
        }
      }
    }
  }
  signIn: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SignInBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['StandingAnswer']
        }
      }
    }
  }
  signInWithSecondFactor: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SignInWithSecondFactorBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['StandingAnswer']
        }
      }
    }
  }
  signOut: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  listSessions: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ListedSessionList']
        }
      }
    }
  }
  endSession: {
    parameters: {
      query?: never
      header?: never
      path: {
        sessionId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  endOtherSessions: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EndOtherSessionsAnswer']
        }
      }
    }
  }
  listPersonalTokens: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PersonalTokenPage']
        }
      }
    }
  }
  createPersonalToken: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreatePersonalTokenBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CreatePersonalTokenAnswer']
        }
      }
    }
  }
  revokePersonalToken: {
    parameters: {
      query?: never
      header?: never
      path: {
        tokenId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PersonalTokenAnswer']
        }
      }
    }
  }
  checkLink: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CheckLinkBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['LinkAnswer']
        }
      }
    }
  }
  signUp: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SignUpBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['StandingAnswer']
        }
      }
    }
  }
  acceptInvitation: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['AcceptInvitationBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['StandingAnswer']
        }
      }
    }
  }
  requestPasswordReset: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['RequestPasswordResetBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  completePasswordReset: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CompletePasswordResetBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  changePassword: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangePasswordBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  beginSecondFactor: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BeginSecondFactorAnswer']
        }
      }
    }
  }
  confirmSecondFactor: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ConfirmSecondFactorBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ConfirmSecondFactorAnswer']
        }
      }
    }
  }
  disableSecondFactor: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['DisableSecondFactorBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  renewRecoveryCodes: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['RenewRecoveryCodesBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RenewRecoveryCodesAnswer']
        }
      }
    }
  }
  startOidc: {
    parameters: {
      query?: {
        returnTo?: string
        link?: string
      }
      header?: never
      path: {
        providerId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  finishOidc: {
    parameters: {
      query?: never
      header?: never
      path: {
        providerId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  listIdentities: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['IdentityList']
        }
      }
    }
  }
  unlinkIdentity: {
    parameters: {
      query?: never
      header?: never
      path: {
        identityId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  getPropagation: {
    parameters: {
      query?: {
        /** @description The revision to report on. Default: the current one. */
        revision?: number
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PropagationAnswer']
        }
      }
    }
  }
  listClients: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
        /** @description Only clients in this state. */
        state?: 'BEHIND' | 'SILENT' | 'UNKNOWN' | 'UP_TO_DATE'
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ClientPage']
        }
      }
    }
  }
  getDataFile: {
    parameters: {
      query?: never
      header?: {
        /** @description The ETag of the file that you have. If it is current, the answer is 304. */
        'if-none-match'?: string
      }
      path: {
        /** @description The SDK key of the environment. It is public. */
        sdkKey: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The data file */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DataFile']
        }
      }
    }
  }
  getWebScript: {
    parameters: {
      query?: never
      header?: {
        /** @description The ETag of the file that you have. If it is current, the answer is 304. */
        'if-none-match'?: string
      }
      path: {
        /** @description The SDK key of the environment. It is public. */
        sdkKey: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The script */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/javascript': string
        }
      }
    }
  }
  getWebDocument: {
    parameters: {
      query?: never
      header?: {
        /** @description The ETag of the file that you have. If it is current, the answer is 304. */
        'if-none-match'?: string
      }
      path: {
        /** @description The SDK key of the environment. It is public. */
        sdkKey: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The web document */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WebDocument']
        }
      }
    }
  }
  streamDataFileChanges: {
    parameters: {
      query?: never
      header?: {
        /** @description The revision that you have. If there is a newer one, the stream begins with it. */
        'last-event-id'?: string
      }
      path: {
        /** @description The SDK key of the environment. It is public. */
        sdkKey: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The stream. It ends when the node shuts down; connect again then. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/event-stream': components['schemas']['DataFileEvents']
        }
      }
    }
  }
  listProjects: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ProjectPage']
        }
      }
    }
  }
  createProject: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateProjectBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ProjectAnswer']
        }
      }
    }
  }
  getProject: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ProjectAnswer']
        }
      }
    }
  }
  deleteProject: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description The key of the project. Required, because the deletion cannot be undone. */
        'x-svc-confirm'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  updateProject: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateProjectBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ProjectAnswer']
        }
      }
    }
  }
  getWebSettings: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CurrentWebSettingsAnswer']
        }
      }
    }
  }
  setWebSettings: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['WebSettings']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CurrentWebSettingsAnswer']
        }
      }
    }
  }
  listEnvironments: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EnvironmentPage']
        }
      }
    }
  }
  createEnvironment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateEnvironmentBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EnvironmentAnswer']
        }
      }
    }
  }
  getEnvironment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EnvironmentAnswer']
        }
      }
    }
  }
  deleteEnvironment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  updateEnvironment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        envId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateEnvironmentBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EnvironmentAnswer']
        }
      }
    }
  }
  listSdkKeys: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SdkKeyPage']
        }
      }
    }
  }
  createSdkKey: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SdkKeyAnswer']
        }
      }
    }
  }
  revokeSdkKey: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        envId: string
        /** @description The id of the SDK key, or the key. */
        sdkKeyId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  listIngestKeys: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['IngestKeyPage']
        }
      }
    }
  }
  createIngestKey: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CreatedIngestKeyAnswer']
        }
      }
    }
  }
  revokeIngestKey: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        envId: string
        /** @description The id of the ingest key. */
        ingestKeyId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  getProjectIndex: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag of the answer that you have. If it is current, the answer is 304. */
        'if-none-match'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ProjectIndexAnswer']
        }
      }
    }
  }
  getManifest: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag of the answer that you have. If it is current, the answer is 304. */
        'if-none-match'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Manifest']
        }
      }
    }
  }
  getProjectManifest: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag of the answer that you have. If it is current, the answer is 304. */
        'if-none-match'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Manifest']
        }
      }
    }
  }
  listStagedChanges: {
    parameters: {
      query?: {
        /** @description Lists only this flag: what publishing it alone would make live. */
        flagId?: string
        /** @description Lists only this web experiment. */
        experimentId?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag of the answer that you have. If it is current, the answer is 304. */
        'if-none-match'?: string
      }
      path: {
        projectId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['StagedChangesAnswer']
        }
      }
    }
  }
  discardStagedChanges: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        envId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['DiscardStagedChangesBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['StagedChangesAnswer']
        }
      }
    }
  }
  listRevisions: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
        /** @description Only revisions that changed this flag. */
        flagId?: string
        /** @description Only revisions of this user or token. A user includes their personal tokens. */
        by?: string
        /** @description Also says what changed in each flag. */
        include?: 'changes'
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RevisionPage']
        }
      }
    }
  }
  getRevision: {
    parameters: {
      query?: {
        /** @description Show only this flag. */
        flagId?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        envId: string
        /** @description A revision such as `41`, or a step of it such as `41.1`. */
        revision: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RevisionChangesAnswer']
        }
      }
    }
  }
  restoreRevision: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        envId: string
        /** @description A revision such as `41`, or a step of it such as `41.1`. */
        revision: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['RestoreRevisionBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RestoredRevisionAnswer']
        }
      }
    }
  }
  evaluate: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        envId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['EvaluateBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExplainedEvaluationAnswer']
        }
      }
    }
  }
  evaluateAudience: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        audienceId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['EvaluateAudienceBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AudienceEvaluationAnswer']
        }
      }
    }
  }
  listFlags: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
        status?: 'DRAFT' | 'PAUSED' | 'RUNNING' | 'ARCHIVED'
        type?: 'BOOLEAN' | 'STRING' | 'NUMBER' | 'JSON'
        stale?: 'true' | 'false'
        /** @description The id or e-mail address of the owner; `me` for the person of the token; `none` for flags without an owner who is still a member. */
        owner?: string
        tag?: string
        /** @description Text that the name, key or description must contain. Case is ignored. */
        q?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FlagPage']
        }
      }
    }
  }
  createFlag: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateFlagBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FlagAnswer']
        }
      }
    }
  }
  getFlag: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        flagId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FlagAnswer']
        }
      }
    }
  }
  deleteFlag: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  updateFlag: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateFlagBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FlagAnswer']
        }
      }
    }
  }
  archiveFlag: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FlagAnswer']
        }
      }
    }
  }
  unarchiveFlag: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FlagAnswer']
        }
      }
    }
  }
  replaceVariations: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description Where the change comes from, such as the name of a file: up to 200 ASCII characters. It becomes the `source` of the staged change. */
        'x-svc-source'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplaceVariationsBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FlagAnswer']
        }
      }
    }
  }
  pauseEnvironmentOfFlag: {
    parameters: {
      query?: {
        /** @description Wait until every live instance serves the change, but at most this long: `1s` to `30s`. The response then has `propagation`. */
        wait?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SwitchAnswer']
        }
      }
    }
  }
  pauseRule: {
    parameters: {
      query?: {
        /** @description Wait until every live instance serves the change, but at most this long: `1s` to `30s`. The response then has `propagation`. */
        wait?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
        ruleId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SwitchAnswer']
        }
      }
    }
  }
  runEnvironmentOfFlag: {
    parameters: {
      query?: {
        /** @description Wait until every live instance serves the change, but at most this long: `1s` to `30s`. The response then has `propagation`. */
        wait?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SwitchAnswer']
        }
      }
    }
  }
  runRule: {
    parameters: {
      query?: {
        /** @description Wait until every live instance serves the change, but at most this long: `1s` to `30s`. The response then has `propagation`. */
        wait?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
        ruleId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SwitchAnswer']
        }
      }
    }
  }
  getFlagEnvironment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FlagInEnvironmentAnswer']
        }
      }
    }
  }
  updateFlagEnvironment: {
    parameters: {
      query?: {
        /** @description Wait until every live instance serves the change, but at most this long: `1s` to `30s`. The response then has `propagation`. */
        wait?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateFlagEnvironmentBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FlagEnvironmentSwitchAnswer']
        }
      }
    }
  }
  getOverrides: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['OverridesAnswer']
        }
      }
    }
  }
  replaceOverrides: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplaceOverridesBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['OverridesAnswer']
        }
      }
    }
  }
  listSchedules: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
        /** @description Only the schedules of this flag. */
        flagId?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ListedSchedulePage']
        }
      }
    }
  }
  getEnvironmentSchedule: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ScheduleAnswer']
        }
      }
    }
  }
  setEnvironmentSchedule: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SetEnvironmentScheduleBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ScheduleAnswer']
        }
      }
    }
  }
  cancelEnvironmentSchedule: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  getRuleSchedule: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
        ruleId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ScheduleAnswer']
        }
      }
    }
  }
  setRuleSchedule: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
        ruleId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SetRuleScheduleBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ScheduleAnswer']
        }
      }
    }
  }
  cancelRuleSchedule: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
        ruleId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  replaceDraft: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description Where the change comes from, such as the name of a file: up to 200 ASCII characters. It becomes the `source` of the staged change. */
        'x-svc-source'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplaceDraftBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FlagInEnvironmentAnswer']
        }
      }
    }
  }
  listRules: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RulePage']
        }
      }
    }
  }
  createRule: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateRuleBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RuleAnswer']
        }
      }
    }
  }
  copyRules: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CopyRulesBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CopiedRulesAnswer']
        }
      }
    }
  }
  reorderRules: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ReorderRulesBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RulePage']
        }
      }
    }
  }
  getRule: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
        ruleId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RuleAnswer']
        }
      }
    }
  }
  deleteRule: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
        ruleId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  updateRule: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
        ruleId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateRuleBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RuleAnswer']
        }
      }
    }
  }
  duplicateRule: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        flagId: string
        envId: string
        ruleId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RuleAnswer']
        }
      }
    }
  }
  listAudiences: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AudiencePage']
        }
      }
    }
  }
  createAudience: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateAudienceBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AudienceAnswer']
        }
      }
    }
  }
  getAudience: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        audienceId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AudienceAnswer']
        }
      }
    }
  }
  deleteAudience: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        audienceId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  updateAudience: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description Where the change comes from, such as the name of a file: up to 200 ASCII characters. It becomes the `source` of the staged change. */
        'x-svc-source'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        audienceId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateAudienceBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AudienceAnswer']
        }
      }
    }
  }
  listSegments: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SegmentPage']
        }
      }
    }
  }
  createSegment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateSegmentBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SegmentAnswer']
        }
      }
    }
  }
  getSegment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        segmentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SegmentAnswer']
        }
      }
    }
  }
  deleteSegment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        segmentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  updateSegment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        segmentId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateSegmentBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SegmentAnswer']
        }
      }
    }
  }
  listSegmentMembers: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
        /** @description Only ids that begin with this text; upper and lower case differ. If an id is this text, it comes first. */
        startsWith?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        segmentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ListSegmentMembersAnswer']
        }
      }
    }
  }
  replaceSegmentMembers: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        segmentId: string
      }
      cookie?: never
    }
    /** @description Alternatively, CSV: ids in the first column, with or without a heading `id`. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplaceSegmentMembersBody']
        'text/csv': string
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SegmentAnswer']
        }
      }
    }
  }
  exportSegmentMembers: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        segmentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/plain; charset=utf-8': string
        }
      }
    }
  }
  addSegmentMembers: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        segmentId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['AddSegmentMembersBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SegmentAnswer']
        }
      }
    }
  }
  removeSegmentMembers: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        segmentId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['RemoveSegmentMembersBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SegmentAnswer']
        }
      }
    }
  }
  listMetrics: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MetricPage']
        }
      }
    }
  }
  createMetric: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateMetricBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MetricAnswer']
        }
      }
    }
  }
  getMetric: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        metricId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MetricAnswer']
        }
      }
    }
  }
  deleteMetric: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        metricId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  updateMetric: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        metricId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateMetricBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MetricAnswer']
        }
      }
    }
  }
  getMetricActivity: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        metricId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MetricActivityAnswer']
        }
      }
    }
  }
  getSeenAttributes: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SeenAttributesAnswer']
        }
      }
    }
  }
  getAudienceReach: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        audienceId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AudienceReachAnswer']
        }
      }
    }
  }
  listExclusionGroups: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExclusionGroupPage']
        }
      }
    }
  }
  createExclusionGroup: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateExclusionGroupBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExclusionGroupAnswer']
        }
      }
    }
  }
  getExclusionGroup: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        groupId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExclusionGroupAnswer']
        }
      }
    }
  }
  deleteExclusionGroup: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        groupId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  updateExclusionGroup: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        groupId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateExclusionGroupBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExclusionGroupAnswer']
        }
      }
    }
  }
  listHoldouts: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['HoldoutPage']
        }
      }
    }
  }
  createHoldout: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateHoldoutBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['HoldoutAnswer']
        }
      }
    }
  }
  getHoldout: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        holdoutId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['HoldoutAnswer']
        }
      }
    }
  }
  deleteHoldout: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        holdoutId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  updateHoldout: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        holdoutId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateHoldoutBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['HoldoutAnswer']
        }
      }
    }
  }
  listExperiments: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
        status?: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED' | 'ARCHIVED'
        type?: 'FEATURE' | 'WEB'
        envId?: string
        tag?: string
        /** @description Text that the name, hypothesis or description must contain. Case is ignored. */
        q?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExperimentPage']
        }
      }
    }
  }
  createExperiment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['NewExperiment']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExperimentAnswer']
        }
      }
    }
  }
  getExperiment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExperimentAnswer']
        }
      }
    }
  }
  deleteExperiment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  updateExperiment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateExperimentBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExperimentAnswer']
        }
      }
    }
  }
  launchExperiment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['StartExperimentBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExperimentMoveAnswer']
        }
      }
    }
  }
  resumeExperiment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['StartExperimentBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExperimentMoveAnswer']
        }
      }
    }
  }
  pauseExperiment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExperimentMoveAnswer']
        }
      }
    }
  }
  completeExperiment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExperimentMoveAnswer']
        }
      }
    }
  }
  archiveExperiment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExperimentMoveAnswer']
        }
      }
    }
  }
  unarchiveExperiment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExperimentMoveAnswer']
        }
      }
    }
  }
  publishExperiment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['PublishExperimentBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExperimentPublicationAnswer']
        }
      }
    }
  }
  duplicateExperiment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['DuplicateExperimentBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExperimentAnswer']
        }
      }
    }
  }
  declareWinner: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['DeclareWinnerBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WinnerDeclarationAnswer']
        }
      }
    }
  }
  getExperimentSchedule: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ScheduleAnswer']
        }
      }
    }
  }
  setExperimentSchedule: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SetExperimentScheduleBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ScheduleAnswer']
        }
      }
    }
  }
  cancelExperimentSchedule: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  getHandOff: {
    parameters: {
      query?: {
        /** @description md: a Markdown file to hand on. */
        format?: 'json' | 'md'
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        experimentId: string
        /** @description The key of a variation of the experiment. */
        variationKey: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['HandOffAnswer']
        }
      }
    }
  }
  getVariationChanges: {
    parameters: {
      query?: {
        /** @description DRAFT: as edited. LIVE: what visitors get. Once the experiment is completed, both are what ran. */
        version?: 'DRAFT' | 'LIVE'
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        experimentId: string
        /** @description The key of a variation of the experiment. */
        variationKey: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['VariationChangesAnswer']
        }
      }
    }
  }
  setVariationChanges: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
        /** @description The key of a variation of the experiment. */
        variationKey: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "changes": [
         *         {
         *           "id": "c1",
         *           "page": "pricing",
         *           "type": "TEXT",
         *           "selector": "h1",
         *           "value": "From € 9 a month",
         *           "was": "Our plans"
         *         },
         *         {
         *           "id": "c2",
         *           "page": null,
         *           "type": "STYLE",
         *           "selector": "a.cta",
         *           "value": {
         *             "background-color": "#0055ff"
         *           }
         *         },
         *         {
         *           "id": "c3",
         *           "page": "pricing",
         *           "type": "MOVE",
         *           "selector": ".reviews",
         *           "to": ".hero",
         *           "position": "AFTER"
         *         },
         *         {
         *           "id": "c4",
         *           "type": "HTML",
         *           "selector": ".note",
         *           "value": "<b>New</b>: pay yearly"
         *         },
         *         {
         *           "id": "c5",
         *           "type": "ATTRIBUTE",
         *           "selector": "a.cta",
         *           "name": "href",
         *           "value": "/sign-up?plan=pro"
         *         },
         *         {
         *           "id": "c6",
         *           "type": "IMAGE",
         *           "selector": ".hero img",
         *           "value": "/images/team.webp",
         *           "alt": "Our team"
         *         },
         *         {
         *           "id": "c7",
         *           "type": "CLASS",
         *           "selector": ".plans",
         *           "add": [
         *             "is-wide"
         *           ],
         *           "remove": [
         *             "is-narrow"
         *           ]
         *         },
         *         {
         *           "id": "c8",
         *           "type": "HIDE",
         *           "selector": ".banner",
         *           "keepSpace": false
         *         },
         *         {
         *           "id": "c9",
         *           "type": "INSERT",
         *           "selector": ".hero",
         *           "position": "LAST",
         *           "value": "<p class=\"note\">No card needed</p>"
         *         }
         *       ],
         *       "css": ".hero { min-height: 20rem }"
         *     }
         */
        'application/json': components['schemas']['SetVariationChangesBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SavedVariationChangesAnswer']
        }
      }
    }
  }
  getVariationCode: {
    parameters: {
      query?: {
        /** @description DRAFT: as edited. LIVE: what visitors get. Once the experiment is completed, both are what ran. */
        version?: 'DRAFT' | 'LIVE'
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        experimentId: string
        /** @description The key of a variation of the experiment. */
        variationKey: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['VariationCodeAnswer']
        }
      }
    }
  }
  setVariationCode: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
        /** @description The key of a variation of the experiment. */
        variationKey: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['VariationCodeBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SavedVariationCodeAnswer']
        }
      }
    }
  }
  tryExperiment: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ExperimentTrialBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExperimentTrialAnswer']
        }
      }
    }
  }
  listPreviews: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PreviewPage']
        }
      }
    }
  }
  createPreview: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PreviewBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CreatedPreviewAnswer']
        }
      }
    }
  }
  revokePreview: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
        previewId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PreviewAnswer']
        }
      }
    }
  }
  listEditorSessions: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EditorSessionList']
        }
      }
    }
  }
  openEditorSession: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['EditorSessionBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['OpenedEditorSessionAnswer']
        }
      }
    }
  }
  closeEditorSession: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        experimentId: string
        editorSessionId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  renewEditorCode: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        experimentId: string
        editorSessionId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EditorSessionCodeAnswer']
        }
      }
    }
  }
  sayPresence: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PresenceBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PresenceAnswer']
        }
      }
    }
  }
  listCodeErrors: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CodeErrorList']
        }
      }
    }
  }
  getRecentFigures: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RecentFiguresAnswer']
        }
      }
    }
  }
  getExperimentResults: {
    parameters: {
      query?: {
        /** @description Only this metric. */
        metricId?: string
        /** @description Also splits the results by this fact of the `context` of exposures, such as `country`. */
        dimension?: string
        include?: 'timeseries'
        /** @description `csv`: a file with a row for each metric and variation. With `dimension`, it has these rows for each value. */
        format?: 'json' | 'csv'
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag of the answer that you have. If it is current, the answer is 304. */
        'if-none-match'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExperimentResultsOverTimeAnswer']
        }
      }
    }
  }
  refreshExperimentResults: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        experimentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RefreshedExperimentResultsAnswer']
        }
      }
      /** @description The work continues in the background */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RefreshedExperimentResultsAnswer']
        }
      }
    }
  }
  getRuleResults: {
    parameters: {
      query?: {
        /** @description Only this metric. */
        metricId?: string
        /** @description Also splits the results by this fact of the `context` of exposures, such as `country`. */
        dimension?: string
        include?: 'timeseries'
        /** @description `csv`: a file with a row for each metric and variation. With `dimension`, it has these rows for each value. */
        format?: 'json' | 'csv'
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag of the answer that you have. If it is current, the answer is 304. */
        'if-none-match'?: string
      }
      path: {
        projectId: string
        flagId: string
        ruleId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ResultsOverTimeAnswer']
        }
      }
    }
  }
  refreshRuleResults: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        flagId: string
        ruleId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RefreshedResultsAnswer']
        }
      }
      /** @description The work continues in the background */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RefreshedResultsAnswer']
        }
      }
    }
  }
  calculateSampleSize: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SampleSizeRequest']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SampleSizeAnswer']
        }
      }
    }
  }
  eraseVisitors: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['EraseVisitorsBody']
      }
    }
    responses: {
      /** @description Success */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['JobAnswer']
        }
      }
    }
  }
  listOrders: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
        /** @description Only orders placed at or after this time. */
        since?: string
        /** @description Only orders placed before this time. */
        until?: string
        status?: 'PLACED' | 'PARTIALLY_REFUNDED' | 'REFUNDED' | 'CANCELLED'
        /** @description Only orders of this visitor. */
        unit?: string
        /** @description Only orders to which the shop has given this id. */
        orderId?: string
        /** @description Only orders of this environment. */
        envId?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['OrderPage']
        }
      }
    }
  }
  summarizeOrders: {
    parameters: {
      query?: {
        /** @description The first day (UTC). Default: 29 days before `to`. */
        from?: string
        /** @description The last day (UTC). Default: today. */
        to?: string
        /** @description Only orders of this environment. */
        envId?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['OrderSummaryAnswer']
        }
      }
    }
  }
  getOrder: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        orderId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['OrderAnswer']
        }
      }
    }
  }
  getPreviewModule: {
    parameters: {
      query?: never
      header?: never
      path: {
        ticket: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The module */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/javascript': string
        }
      }
    }
  }
  getCatalog: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CatalogAnswer']
        }
      }
    }
  }
  updateCatalog: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateCatalogBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CatalogAnswer']
        }
      }
    }
  }
  listProducts: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
        /** @description Words that an item of the product must all have, in title, ids, brand, SKU, GTIN, MPN, categories, labels or attributes. Their ends can be missing, and case and accents do not matter. */
        q?: string
        /** @description Only products with an item in this category or below it, such as `Clothing > Shirts`. */
        category?: string
        /** @description Only products with an item of exactly this brand. */
        brand?: string
        /** @description Only products with such an item. */
        availability?: 'IN_STOCK' | 'OUT_OF_STOCK' | 'PREORDER' | 'BACKORDER'
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ProductPage']
        }
      }
    }
  }
  getProduct: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        /** @description The `productId` of the items, percent-encoded. */
        productId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ProductWithItemsAnswer']
        }
      }
    }
  }
  listCategories: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CatalogCategoryPage']
        }
      }
    }
  }
  getCatalogFacet: {
    parameters: {
      query?: {
        /** @description `brand`, or `category`: the levels of `categories`, as the product types of a feed. */
        field?: 'brand' | 'category'
        /** @description Only values with these letters. Case does not matter. */
        find?: string
        /** @description Words that an item of the product must all have, in title, ids, brand, SKU, GTIN, MPN, categories, labels or attributes. Their ends can be missing, and case and accents do not matter. */
        q?: string
        /** @description Only products with an item in this category or below it, such as `Clothing > Shirts`. */
        category?: string
        /** @description Only products with an item of exactly this brand. */
        brand?: string
        /** @description Only products with such an item. */
        availability?: 'IN_STOCK' | 'OUT_OF_STOCK' | 'PREORDER' | 'BACKORDER'
        /** @description The most values, 1 to 100. */
        limit?: number
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CatalogFacetAnswer']
        }
      }
    }
  }
  listCatalogRevisions: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CatalogRevisionPage']
        }
      }
    }
  }
  restoreCatalogRevision: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        /** @description The number of a revision, such as `41`. */
        revision: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['JobAnswer']
        }
      }
    }
  }
  listJobs: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
        /** @description Only jobs of this kind. */
        kind?: string
        status?: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'HELD'
        /** @description Only jobs of this source. */
        sourceId?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['JobPage']
        }
      }
    }
  }
  getJob: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        jobId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['JobAnswer']
        }
      }
    }
  }
  listJobErrors: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        jobId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['JobErrorPage']
        }
      }
    }
  }
  cancelJob: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        jobId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['JobAnswer']
        }
      }
    }
  }
  applyJob: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        jobId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['JobAnswer']
        }
      }
    }
  }
  retryJob: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        jobId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['JobAnswer']
        }
      }
    }
  }
  listCatalogSources: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CatalogSourcePage']
        }
      }
    }
  }
  createCatalogSource: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateCatalogSourceBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CatalogSourceAnswer']
        }
      }
    }
  }
  getCatalogSource: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        sourceId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CatalogSourceAnswer']
        }
      }
    }
  }
  deleteCatalogSource: {
    parameters: {
      query?: {
        /** @description `keep`: the items stay, and nobody owns them any more. `remove`: a job removes them as one revision of the catalog. Default: keep. */
        items?: 'keep' | 'remove'
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        sourceId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  updateCatalogSource: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        sourceId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateCatalogSourceBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CatalogSourceAnswer']
        }
      }
    }
  }
  syncCatalogSource: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        sourceId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['JobAnswer']
        }
      }
      /** @description The work continues in the background */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['JobAnswer']
        }
      }
    }
  }
  listDatasets: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DatasetPage']
        }
      }
    }
  }
  createDataset: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateDatasetBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DatasetAnswer']
        }
      }
    }
  }
  getDataset: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        datasetId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DatasetAnswer']
        }
      }
    }
  }
  deleteDataset: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        datasetId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  updateDataset: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        datasetId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateDatasetBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DatasetAnswer']
        }
      }
    }
  }
  listDatasetVersions: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        datasetId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DatasetVersionPage']
        }
      }
    }
  }
  createDatasetVersion: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        datasetId: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/octet-stream': components['schemas']['DatasetFile']
        'text/csv': components['schemas']['DatasetFile']
        'text/plain': components['schemas']['DatasetFile']
        'application/json': components['schemas']['DatasetFile']
        'application/jsonl': components['schemas']['DatasetFile']
        'application/x-ndjson': components['schemas']['DatasetFile']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['JobAnswer']
        }
      }
      /** @description The work continues in the background */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['JobAnswer']
        }
      }
    }
  }
  getDatasetSample: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        datasetId: string
        versionId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['GetDatasetSampleAnswer']
        }
      }
    }
  }
  activateDatasetVersion: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        datasetId: string
        versionId: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['ActivateDatasetVersionBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DatasetVersionAnswer']
        }
      }
    }
  }
  rollBackDataset: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        datasetId: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['RollBackDatasetBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DatasetVersionAnswer']
        }
      }
    }
  }
  listRecommendationModels: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RecommendationModelPage']
        }
      }
    }
  }
  createRecommendationModel: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateRecommendationModelBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RecommendationModelAnswer']
        }
      }
    }
  }
  getRecommendationModel: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        modelId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RecommendationModelAnswer']
        }
      }
    }
  }
  deleteRecommendationModel: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        modelId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  updateRecommendationModel: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        modelId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateRecommendationModelBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RecommendationModelAnswer']
        }
      }
    }
  }
  listRecommendationRuns: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        modelId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RecommendationRunPage']
        }
      }
    }
  }
  startRecommendationRun: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        modelId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['JobAnswer']
        }
      }
      /** @description The work continues in the background */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['JobAnswer']
        }
      }
    }
  }
  activateRecommendationRun: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        modelId: string
        runId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RecommendationRunAnswer']
        }
      }
    }
  }
  listPlacements: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PlacementPage']
        }
      }
    }
  }
  createPlacement: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreatePlacementBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PlacementAnswer']
        }
      }
    }
  }
  getPlacement: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        placementId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PlacementAnswer']
        }
      }
    }
  }
  deletePlacement: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        placementId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  updatePlacement: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        placementId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdatePlacementBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PlacementAnswer']
        }
      }
    }
  }
  previewPlacement: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        placementId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PreviewPlacementBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RecommendationPreviewAnswer']
        }
      }
    }
  }
  measurePlacement: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        placementId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['MeasurePlacementBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PlacementAnswer']
        }
      }
    }
  }
  listWebhooks: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WebhookPage']
        }
      }
    }
  }
  createWebhook: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateWebhookBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CreatedWebhookAnswer']
        }
      }
    }
  }
  getWebhook: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        webhookId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WebhookAnswer']
        }
      }
    }
  }
  deleteWebhook: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        webhookId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  updateWebhook: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        webhookId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateWebhookBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WebhookAnswer']
        }
      }
    }
  }
  rotateWebhookSecret: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        webhookId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RotatedSecretAnswer']
        }
      }
    }
  }
  testWebhook: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        webhookId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeliveryAnswer']
        }
      }
    }
  }
  listDeliveries: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
        status?: 'PENDING' | 'DELIVERED' | 'FAILED' | 'PERMANENTLY_FAILED'
        eventType?:
          | 'experiment.created'
          | 'experiment.updated'
          | 'experiment.archived'
          | 'experiment.unarchived'
          | 'experiment.deleted'
          | 'experiment.launched'
          | 'experiment.paused'
          | 'experiment.resumed'
          | 'experiment.completed'
          | 'experiment.changes_published'
          | 'experiment.schedule_failed'
          | 'experiment.visual_changes.saved'
          | 'experiment.winner_declared'
          | 'experiment.results_ready'
          | 'experiment.srm_failed'
          | 'experiment.guardrail_breached'
          | 'experiment.guardrail_metric_breached'
          | 'experiment.code_error_detected'
          | 'flag.created'
          | 'flag.updated'
          | 'flag.archived'
          | 'flag.unarchived'
          | 'flag.deleted'
          | 'flag.published'
          | 'flag.rule_activated'
          | 'flag.schedule_updated'
          | 'flag.schedule_failed'
          | 'flag.srm_failed'
          | 'flag.guardrail_breached'
          | 'flag.results_ready'
          | 'audience.created'
          | 'audience.updated'
          | 'audience.deleted'
          | 'segment.created'
          | 'segment.updated'
          | 'segment.deleted'
          | 'metric.created'
          | 'metric.updated'
          | 'metric.deleted'
          | 'exclusion_group.created'
          | 'exclusion_group.updated'
          | 'exclusion_group.deleted'
          | 'holdout.created'
          | 'holdout.updated'
          | 'holdout.deleted'
          | 'catalog_source.created'
          | 'catalog_source.updated'
          | 'catalog_source.deleted'
          | 'dataset.created'
          | 'dataset.updated'
          | 'dataset.deleted'
          | 'recommendation_model.created'
          | 'recommendation_model.updated'
          | 'recommendation_model.deleted'
          | 'placement.created'
          | 'placement.updated'
          | 'placement.deleted'
          | 'commerce.import.completed'
          | 'commerce.job_failed'
          | 'recommendation.run.completed'
          | 'dataset.version.activated'
          | 'catalog.feed_sync.completed'
          | 'catalog.updated'
          | 'job.updated'
          | 'visitor.erased'
          | 'project.created'
          | 'project.updated'
          | 'project.deleted'
          | 'environment.created'
          | 'environment.updated'
          | 'environment.deleted'
          | 'environment.sdk_key_created'
          | 'environment.sdk_key_revoked'
          | 'environment.ingest_key_created'
          | 'environment.ingest_key_revoked'
          | 'webhook.created'
          | 'webhook.updated'
          | 'webhook.deleted'
          | 'webhook.secret_rotated'
          | 'webhook.tested'
          | 'webhook.delivery_retried'
          | 'webhook.disabled'
          | 'destination.created'
          | 'destination.updated'
          | 'destination.deleted'
          | 'destination.tested'
          | 'destination.delivery_retried'
          | 'destination.disabled'
          | 'token.expiring'
          | 'webhook.test'
        /** @description Only deliveries created at or after this time. */
        since?: string
        /** @description Only deliveries created before this time. */
        until?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        webhookId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeliveryPage']
        }
      }
    }
  }
  getDelivery: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        webhookId: string
        deliveryId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeliveryAnswer']
        }
      }
    }
  }
  retryDelivery: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        webhookId: string
        deliveryId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeliveryAnswer']
        }
      }
    }
  }
  replayDeliveries: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        webhookId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplayDeliveriesBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ReplayedDeliveriesAnswer']
        }
      }
    }
  }
  listDestinations: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
        kind?:
          | 'SLACK'
          | 'TEAMS'
          | 'DISCORD'
          | 'GOOGLE_CHAT'
          | 'JIRA'
          | 'LINEAR'
          | 'GITHUB'
          | 'PAGERDUTY'
          | 'EMAIL'
          | 'TEMPLATE'
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DestinationPage']
        }
      }
    }
  }
  createDestination: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateDestinationBody']
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SavedDestinationAnswer']
        }
      }
    }
  }
  getDestination: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        destinationId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DestinationAnswer']
        }
      }
    }
  }
  deleteDestination: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        destinationId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  updateDestination: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        destinationId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateDestinationBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SavedDestinationAnswer']
        }
      }
    }
  }
  previewDestination: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PreviewDestinationBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DestinationPreviewAnswer']
        }
      }
    }
  }
  listOpenTickets: {
    parameters: {
      query: {
        /** @description The id of a flag or an experiment. */
        about: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['OpenTicketList']
        }
      }
    }
  }
  testDestination: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        destinationId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeliveryAnswer']
        }
      }
    }
  }
  listDestinationDeliveries: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
        status?: 'PENDING' | 'DELIVERED' | 'FAILED' | 'PERMANENTLY_FAILED'
        eventType?:
          | 'experiment.created'
          | 'experiment.updated'
          | 'experiment.archived'
          | 'experiment.unarchived'
          | 'experiment.deleted'
          | 'experiment.launched'
          | 'experiment.paused'
          | 'experiment.resumed'
          | 'experiment.completed'
          | 'experiment.changes_published'
          | 'experiment.schedule_failed'
          | 'experiment.visual_changes.saved'
          | 'experiment.winner_declared'
          | 'experiment.results_ready'
          | 'experiment.srm_failed'
          | 'experiment.guardrail_breached'
          | 'experiment.guardrail_metric_breached'
          | 'experiment.code_error_detected'
          | 'flag.created'
          | 'flag.updated'
          | 'flag.archived'
          | 'flag.unarchived'
          | 'flag.deleted'
          | 'flag.published'
          | 'flag.rule_activated'
          | 'flag.schedule_updated'
          | 'flag.schedule_failed'
          | 'flag.srm_failed'
          | 'flag.guardrail_breached'
          | 'flag.results_ready'
          | 'audience.created'
          | 'audience.updated'
          | 'audience.deleted'
          | 'segment.created'
          | 'segment.updated'
          | 'segment.deleted'
          | 'metric.created'
          | 'metric.updated'
          | 'metric.deleted'
          | 'exclusion_group.created'
          | 'exclusion_group.updated'
          | 'exclusion_group.deleted'
          | 'holdout.created'
          | 'holdout.updated'
          | 'holdout.deleted'
          | 'catalog_source.created'
          | 'catalog_source.updated'
          | 'catalog_source.deleted'
          | 'dataset.created'
          | 'dataset.updated'
          | 'dataset.deleted'
          | 'recommendation_model.created'
          | 'recommendation_model.updated'
          | 'recommendation_model.deleted'
          | 'placement.created'
          | 'placement.updated'
          | 'placement.deleted'
          | 'commerce.import.completed'
          | 'commerce.job_failed'
          | 'recommendation.run.completed'
          | 'dataset.version.activated'
          | 'catalog.feed_sync.completed'
          | 'catalog.updated'
          | 'job.updated'
          | 'visitor.erased'
          | 'project.created'
          | 'project.updated'
          | 'project.deleted'
          | 'environment.created'
          | 'environment.updated'
          | 'environment.deleted'
          | 'environment.sdk_key_created'
          | 'environment.sdk_key_revoked'
          | 'environment.ingest_key_created'
          | 'environment.ingest_key_revoked'
          | 'webhook.created'
          | 'webhook.updated'
          | 'webhook.deleted'
          | 'webhook.secret_rotated'
          | 'webhook.tested'
          | 'webhook.delivery_retried'
          | 'webhook.disabled'
          | 'destination.created'
          | 'destination.updated'
          | 'destination.deleted'
          | 'destination.tested'
          | 'destination.delivery_retried'
          | 'destination.disabled'
          | 'token.expiring'
          | 'webhook.test'
        /** @description Only deliveries created at or after this time. */
        since?: string
        /** @description Only deliveries created before this time. */
        until?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        destinationId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeliveryPage']
        }
      }
    }
  }
  getDestinationDelivery: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        destinationId: string
        recordId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeliveryAnswer']
        }
      }
    }
  }
  retryDestinationDelivery: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        destinationId: string
        recordId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeliveryAnswer']
        }
      }
    }
  }
  replayDestinationDeliveries: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        destinationId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplayDestinationDeliveriesBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ReplayedDeliveriesAnswer']
        }
      }
    }
  }
  getNotificationSettings: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['NotificationSettingsAnswer']
        }
      }
    }
  }
  previewNotifications: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PreviewNotificationsBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['NotificationPreviewAnswer']
        }
      }
    }
  }
  listMySubscriptions: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MySubscriptionsAnswer']
        }
      }
    }
  }
  replaceMySubscriptions: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplaceMySubscriptionsBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MySubscriptionsAnswer']
        }
      }
    }
  }
  openUnsubscribePage: {
    parameters: {
      query?: never
      header?: never
      path: {
        link: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  unsubscribe: {
    parameters: {
      query?: never
      header?: never
      path: {
        link: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  getMailing: {
    parameters: {
      query?: never
      header?: never
      path: {
        link: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MailingAnswer']
        }
      }
    }
  }
  checkMailAddress: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CheckMailAddressBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CheckMailAddressAnswer']
        }
      }
    }
  }
  confirmMailAddress: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ConfirmMailAddressBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EmptyAnswer']
        }
      }
    }
  }
  listEvents: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description The last `seq` that you have received. */
        after?: number
        /** @description The same as `after`, for clients that page by `nextCursor`. */
        cursor?: number
        /** @description Only events of this name. */
        event?:
          | 'experiment.created'
          | 'experiment.updated'
          | 'experiment.archived'
          | 'experiment.unarchived'
          | 'experiment.deleted'
          | 'experiment.launched'
          | 'experiment.paused'
          | 'experiment.resumed'
          | 'experiment.completed'
          | 'experiment.changes_published'
          | 'experiment.schedule_failed'
          | 'experiment.visual_changes.saved'
          | 'experiment.winner_declared'
          | 'experiment.results_ready'
          | 'experiment.srm_failed'
          | 'experiment.guardrail_breached'
          | 'experiment.guardrail_metric_breached'
          | 'experiment.code_error_detected'
          | 'flag.created'
          | 'flag.updated'
          | 'flag.archived'
          | 'flag.unarchived'
          | 'flag.deleted'
          | 'flag.published'
          | 'flag.rule_activated'
          | 'flag.schedule_updated'
          | 'flag.schedule_failed'
          | 'flag.srm_failed'
          | 'flag.guardrail_breached'
          | 'flag.results_ready'
          | 'audience.created'
          | 'audience.updated'
          | 'audience.deleted'
          | 'segment.created'
          | 'segment.updated'
          | 'segment.deleted'
          | 'metric.created'
          | 'metric.updated'
          | 'metric.deleted'
          | 'exclusion_group.created'
          | 'exclusion_group.updated'
          | 'exclusion_group.deleted'
          | 'holdout.created'
          | 'holdout.updated'
          | 'holdout.deleted'
          | 'catalog_source.created'
          | 'catalog_source.updated'
          | 'catalog_source.deleted'
          | 'dataset.created'
          | 'dataset.updated'
          | 'dataset.deleted'
          | 'recommendation_model.created'
          | 'recommendation_model.updated'
          | 'recommendation_model.deleted'
          | 'placement.created'
          | 'placement.updated'
          | 'placement.deleted'
          | 'commerce.import.completed'
          | 'commerce.job_failed'
          | 'recommendation.run.completed'
          | 'dataset.version.activated'
          | 'catalog.feed_sync.completed'
          | 'catalog.updated'
          | 'job.updated'
          | 'visitor.erased'
          | 'project.created'
          | 'project.updated'
          | 'project.deleted'
          | 'environment.created'
          | 'environment.updated'
          | 'environment.deleted'
          | 'environment.sdk_key_created'
          | 'environment.sdk_key_revoked'
          | 'environment.ingest_key_created'
          | 'environment.ingest_key_revoked'
          | 'webhook.created'
          | 'webhook.updated'
          | 'webhook.deleted'
          | 'webhook.secret_rotated'
          | 'webhook.tested'
          | 'webhook.delivery_retried'
          | 'webhook.disabled'
          | 'destination.created'
          | 'destination.updated'
          | 'destination.deleted'
          | 'destination.tested'
          | 'destination.delivery_retried'
          | 'destination.disabled'
          | 'token.expiring'
          | 'webhook.test'
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EventPage']
        }
      }
    }
  }
  listAuditEntries: {
    parameters: {
      query?: {
        /** @description Number of items per page, 1 to 100. */
        limit?: number
        /** @description `page.nextCursor` of the previous page. */
        cursor?: string
        /** @description Only entries at or after this time. */
        from?: string
        /** @description Only entries before this time. */
        to?: string
        /** @description Id of a user or token, or `system`. A user includes their personal tokens. */
        actor?: string | 'system'
        /** @description An action such as `flag.update`, or a prefix such as `flag.` for all actions that begin with it. */
        action?: string
        objectId?: string
        projectId?: string
        /** @description Words that an entry must contain in the name of the actor or object, in the action (`flag.pause`, `paused the flag`) or in the comment of a publish. Case is ignored. A word that is an id matches the entry, actor, object, project or request with this id. */
        q?: string
        actorType?: 'user' | 'service_token' | 'personal_token' | 'system'
        objectType?:
          | 'organization'
          | 'member'
          | 'invitation'
          | 'role'
          | 'user'
          | 'session'
          | 'service_token'
          | 'personal_token'
          | 'project'
          | 'environment'
          | 'flag'
          | 'rule'
          | 'audience'
          | 'segment'
          | 'metric'
          | 'webhook'
          | 'destination'
          | 'exclusion_group'
          | 'holdout'
          | 'experiment'
          | 'catalog'
          | 'catalog_source'
          | 'dataset'
          | 'recommendation_model'
          | 'placement'
          | 'job'
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AuditEntryPage']
        }
      }
    }
  }
  exportAuditEntries: {
    parameters: {
      query: {
        format: 'csv' | 'ndjson'
        /** @description Only entries at or after this time. */
        from?: string
        /** @description Only entries before this time. */
        to?: string
        /** @description Id of a user or token, or `system`. A user includes their personal tokens. */
        actor?: string | 'system'
        /** @description An action such as `flag.update`, or a prefix such as `flag.` for all actions that begin with it. */
        action?: string
        objectId?: string
        projectId?: string
        /** @description Words that an entry must contain in the name of the actor or object, in the action (`flag.pause`, `paused the flag`) or in the comment of a publish. Case is ignored. A word that is an id matches the entry, actor, object, project or request with this id. */
        q?: string
        actorType?: 'user' | 'service_token' | 'personal_token' | 'system'
        objectType?:
          | 'organization'
          | 'member'
          | 'invitation'
          | 'role'
          | 'user'
          | 'session'
          | 'service_token'
          | 'personal_token'
          | 'project'
          | 'environment'
          | 'flag'
          | 'rule'
          | 'audience'
          | 'segment'
          | 'metric'
          | 'webhook'
          | 'destination'
          | 'exclusion_group'
          | 'holdout'
          | 'experiment'
          | 'catalog'
          | 'catalog_source'
          | 'dataset'
          | 'recommendation_model'
          | 'placement'
          | 'job'
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/csv; charset=utf-8': string
          'application/x-ndjson': string
        }
      }
    }
  }
  findNames: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['FindNamesBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['NameOfIdList']
        }
      }
    }
  }
  getAttention: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AttentionAnswer']
        }
      }
    }
  }
  streamChanges: {
    parameters: {
      query: {
        /** @description Id or short id of the organization. A browser cannot send a header here. */
        orgId: string
        /** @description The id of the last event that you have. The header `Last-Event-ID` takes precedence. */
        after?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/event-stream': components['schemas']['DashboardChanges']
        }
      }
    }
  }
  sendHeartbeat: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['Heartbeat']
        'text/plain': components['schemas']['Heartbeat']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['HeartbeatAnswer']
        }
      }
    }
  }
  publishEnvironment: {
    parameters: {
      query?: {
        /** @description Wait until every live instance serves the change, but at most this long: `1s` to `30s`. The response then has `propagation`. */
        wait?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description The ETag that you read. If the resource has changed since, nothing is written and the answer is 412. */
        'x-svc-if-match'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
        envId: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['PublishEnvironmentBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PublicationAnswer']
        }
      }
    }
  }
  previewStagedChanges: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        envId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PreviewStagedChangesBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PublishPreviewAnswer']
        }
      }
    }
  }
  previewDrafts: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        envId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PreviewDraftsBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PublishPreviewAnswer']
        }
      }
    }
  }
  sendEvents: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['Events']
        'text/plain': components['schemas']['Events']
      }
    }
    responses: {
      /** @description The events are stored, except for those in `rejected` */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EventsAnswer']
        }
      }
    }
  }
  evaluateFlagsByOfrep: {
    parameters: {
      query?: never
      header?: {
        /** @description The ETag of the answers that you have. If they are current, the answer is 304. */
        'if-none-match'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['OfrepRequest']
      }
    }
    responses: {
      /** @description What the visitor gets from every flag */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['OfrepBulk']
        }
      }
    }
  }
  evaluateFlagByOfrep: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The key of the flag. */
        key: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['OfrepRequest']
      }
    }
    responses: {
      /** @description The value that the visitor gets */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['OfrepSuccess']
        }
      }
    }
  }
  getPreviewTicket: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PreviewTicketBody']
        'text/plain': components['schemas']['PreviewTicketBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PreviewTicket']
        }
      }
    }
  }
  redeemEditorCode: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['EditorRedemptionBody']
        'text/plain': components['schemas']['EditorRedemptionBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EditorRedemption']
        }
      }
    }
  }
  saveItems: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
        /** @description A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer. */
        'idempotency-key'?: string
      }
      path: {
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SaveItemsBody']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CatalogBatchAnswer']
        }
      }
    }
  }
  previewCatalogSource: {
    parameters: {
      query?: never
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        sourceId: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/octet-stream': components['schemas']['CatalogFile']
        'application/gzip': components['schemas']['CatalogFile']
        'application/x-gzip': components['schemas']['CatalogFile']
        'text/plain': components['schemas']['CatalogFile']
        'text/csv': components['schemas']['CatalogFile']
        'text/tab-separated-values': components['schemas']['CatalogFile']
        'application/xml': components['schemas']['CatalogFile']
        'text/xml': components['schemas']['CatalogFile']
        'application/rss+xml': components['schemas']['CatalogFile']
        'application/atom+xml': components['schemas']['CatalogFile']
        'application/json': components['schemas']['CatalogFile']
        'application/jsonl': components['schemas']['CatalogFile']
        'application/x-ndjson': components['schemas']['CatalogFile']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CatalogSourcePreviewAnswer']
        }
      }
    }
  }
  uploadCatalogSource: {
    parameters: {
      query?: {
        /** @description The held job of this source whose file you send again. The counts in `result.guards` of that job are the limits. */
        apply?: string
        /** @description A text of your own, such as random digits. The job has it as `sending` while it reads the file, so that you know the job before the answer. */
        sending?: string
      }
      header?: {
        /** @description Id or short id of the organization. Required for a personal token whose holder belongs to several organizations. */
        'svc-org-id'?: string
      }
      path: {
        projectId: string
        sourceId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/octet-stream': components['schemas']['CatalogUpload']
        'application/gzip': components['schemas']['CatalogUpload']
        'application/x-gzip': components['schemas']['CatalogUpload']
        'text/plain': components['schemas']['CatalogUpload']
        'text/csv': components['schemas']['CatalogUpload']
        'text/tab-separated-values': components['schemas']['CatalogUpload']
        'application/xml': components['schemas']['CatalogUpload']
        'text/xml': components['schemas']['CatalogUpload']
        'application/rss+xml': components['schemas']['CatalogUpload']
        'application/atom+xml': components['schemas']['CatalogUpload']
        'application/json': components['schemas']['CatalogUpload']
        'application/jsonl': components['schemas']['CatalogUpload']
        'application/x-ndjson': components['schemas']['CatalogUpload']
      }
    }
    responses: {
      /** @description Success */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['JobAnswer']
        }
      }
    }
  }
  getRecommendations: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['RecommendationRequest']
        'text/plain': components['schemas']['RecommendationRequest']
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Recommendations']
        }
      }
    }
  }
}
