-- The user and the rights of every group they are in, in one statement: the
-- version and what it stands for come from one moment.
-- name: User
SELECT u.id, u.name, u.email, u.lang, u.admin, u.enabled, u.version, g.name, g.rights
FROM users u
LEFT JOIN memberships m ON m.user_id = u.id
LEFT JOIN groups g ON g.id = m.group_id
WHERE u.id = $1
ORDER BY g.name COLLATE "C"

-- name: UserByName
SELECT u.id, u.name, u.email, u.lang, u.admin, u.enabled, u.version, g.name, g.rights
FROM users u
LEFT JOIN memberships m ON m.user_id = u.id
LEFT JOIN groups g ON g.id = m.group_id
WHERE u.name = $1
ORDER BY g.name COLLATE "C"

-- name: Users
SELECT u.id, u.name, u.email, u.lang, u.admin, u.enabled, u.version, g.name, g.rights
FROM users u
LEFT JOIN memberships m ON m.user_id = u.id
LEFT JOIN groups g ON g.id = m.group_id
ORDER BY u.name COLLATE "C", g.name COLLATE "C"

-- name: AddUser
INSERT INTO users (id, name, email, lang, admin, enabled, version, created)
VALUES ($1, $2, $3, $4, $5, 1, 1, $6)
ON CONFLICT (name) DO NOTHING

-- name: ChangeUser
UPDATE users SET email = COALESCE($1, email), lang = COALESCE($2, lang),
	admin = COALESCE($3, admin), enabled = COALESCE($4, enabled), version = version + 1
WHERE id = $5

-- name: TouchMembers
UPDATE users SET version = version + 1
WHERE id IN (SELECT user_id FROM memberships WHERE group_id = $1)

-- name: LeaveGroups
DELETE FROM memberships WHERE user_id = $1

-- name: JoinGroup
INSERT INTO memberships (user_id, group_id) VALUES ($1, $2)

-- Whoever changes people does so one after the other: otherwise somebody who
-- joins a group while it changes could keep a version that stands for its old
-- rights, and several versions raised at once could deadlock.
-- name: HoldPeople
INSERT INTO sequences (name, last) VALUES ('people', 0)
ON CONFLICT (name) DO UPDATE SET last = sequences.last

-- name: Group
SELECT id, rights FROM groups WHERE name = $1

-- name: AddGroup
INSERT INTO groups (id, name, rights) VALUES ($1, $2, $3)

-- name: SetGroup
UPDATE groups SET rights = $1 WHERE id = $2

-- name: Groups
SELECT name, rights FROM groups ORDER BY name COLLATE "C"
