-- name: AddToken
INSERT INTO tokens (id, hash, kind, user_id, service, scopes, tools, created)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)

-- name: TokenByHash
SELECT id, kind, user_id, service, scopes, tools
FROM tokens WHERE hash = $1 AND kind = $2 AND revoked IS NULL

-- name: Tokens
SELECT t.id, t.kind, COALESCE(u.id, 0), COALESCE(u.name, ''), t.service, t.scopes, t.tools, t.created, t.last_used, t.revoked
FROM tokens t LEFT JOIN users u ON u.id = t.user_id
ORDER BY t.created, t.id COLLATE "C"

-- name: TokensOf
SELECT t.id, t.kind, COALESCE(u.id, 0), COALESCE(u.name, ''), t.service, t.scopes, t.tools, t.created, t.last_used, t.revoked
FROM tokens t LEFT JOIN users u ON u.id = t.user_id
WHERE t.user_id = $1
ORDER BY t.created, t.id COLLATE "C"

-- name: RevokeToken
UPDATE tokens SET revoked = COALESCE(revoked, $1) WHERE id = $2

-- name: UseToken
UPDATE tokens SET last_used = $1 WHERE id = $2
