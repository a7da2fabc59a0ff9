-- Rows of a generated branch, one table after the other in the order of the
-- primary key, so that nothing has to be moved. i counts from 0.

CREATE TEMP TABLE n (i INTEGER PRIMARY KEY);

INSERT INTO n
WITH RECURSIVE up (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM up WHERE i + 1 < :most)
SELECT i FROM up;

INSERT INTO content_records (tab, uid, pid, version, sorting, language, origin, deleted, slug, created, changed, changed_by, fields)
SELECT 'accordion_items', :first + i, :first + (4 * i + 3) / :each, 1, 256, 0, 0, 0, '', :at, :at, 1,
    printf('{"bodytext":"<p>%s</p>","element":%d,"header":"Item %d","hidden":0,"media":0}', :text, :first + 4 * i + 3, i)
FROM n WHERE i < :items;

INSERT INTO content_records (tab, uid, pid, version, sorting, language, origin, deleted, slug, created, changed, changed_by, fields)
SELECT 'content', :first + i, :first + i / :each, 1, 256 * (1 + i % :each), 0, 0, 0, '', :at, :at, 1,
    CASE i % 4
        WHEN 0 THEN printf('{"bodytext":"<p>%s</p><p><a href=\"t3://page?uid=%d\">Read on</a></p>","column":0,"header":"Element %d","hidden":0,"image":1,"type":"textpic"}', :text, :first + i % :pages, i)
        WHEN 3 THEN printf('{"accordion_items":1,"bodytext":"<p>%s</p>","column":0,"header":"Element %d","hidden":0,"type":"accordion"}', :text, i)
        ELSE printf('{"bodytext":"<p>%s</p>","column":0,"header":"Element %d","hidden":0,"image":1,"type":"textpic"}', :text, i)
    END
FROM n WHERE i < :elements;

INSERT INTO content_records (tab, uid, pid, version, sorting, language, origin, deleted, slug, created, changed, changed_by, fields)
SELECT 'content', :first + :elements + i, :first + 50 * i / :each, 1, 256 * (1 + 50 * i % :each) + 1, 1, :first + 50 * i, 0, '', :at, :at, 1,
    printf('{"bodytext":"<p>%s</p>","column":0,"header":"Element %d auf Deutsch","hidden":0,"image":0,"type":"textpic"}', :text, 50 * i)
FROM n WHERE i < :elements / 50;

INSERT INTO content_records (tab, uid, pid, version, sorting, language, origin, deleted, slug, created, changed, changed_by, fields)
SELECT 'file_metadata', :first + i, 0, 1, 256, 0, 0, 0, '', :at, :at, 1,
    printf('{"alternative":"Picture %d","file":%d,"height":800,"title":"Picture %d","width":1200}', i, :first + i, i)
FROM n WHERE i < :files;

INSERT INTO content_records (tab, uid, pid, version, sorting, language, origin, deleted, slug, created, changed, changed_by, fields)
SELECT 'file_references', :first + i, :first + (i / 3 * 4 + i % 3) / :each, 1, 256, 0, 0, 0, '', :at, :at, 1,
    printf('{"file":%d,"hidden":0,"owner":%d,"owner_field":"image","owner_table":"content"}', :first + i % :files, :first + i / 3 * 4 + i % 3)
FROM n WHERE i < :references;

INSERT INTO content_records (tab, uid, pid, version, sorting, language, origin, deleted, slug, created, changed, changed_by, fields)
SELECT 'files', :first + i, 0, 1, 256, 0, 0, 0, '', :at, :at, 1,
    printf('{"extension":"jpg","identifier":"/pictures/generated/%d.jpg","mime_type":"image/jpeg","missing":0,"name":"%d.jpg","size":200000,"storage":"media"}', i, i)
FROM n WHERE i < :files;

INSERT INTO content_records (tab, uid, pid, version, sorting, language, origin, deleted, slug, created, changed, changed_by, fields)
SELECT 'pages', :first + i, CASE i WHEN 0 THEN :below ELSE :first + (i - 1) / 10 END, 1,
    CASE i WHEN 0 THEN 1000000 ELSE 256 * (1 + (i - 1) % 10) END, 0, 0, 0, '/generated/' || i, :at, :at, 1,
    printf('{"description":"%s","doktype":"standard","hidden":0,"slug":"/generated/%d","title":"Generated page %d"}', :text, i, i)
FROM n WHERE i < :pages;

INSERT INTO content_records (tab, uid, pid, version, sorting, language, origin, deleted, slug, created, changed, changed_by, fields)
SELECT 'pages', :first + :pages + i, CASE i WHEN 0 THEN :below ELSE :first + (50 * i - 1) / 10 END, 1,
    CASE i WHEN 0 THEN 1000001 ELSE 256 * (1 + (50 * i - 1) % 10) + 1 END, 1, :first + 50 * i, 0, '/generated/' || (50 * i), :at, :at, 1,
    printf('{"doktype":"standard","hidden":0,"slug":"/generated/%d","title":"Erzeugte Seite %d"}', 50 * i, 50 * i)
FROM n WHERE i < :pages / 50;

INSERT INTO content_page_rights (page, owner, group_name, owner_may, group_may, everybody_may)
SELECT :first + i, 0, 'editing', 0, :all, 0 FROM n WHERE i < :pages;

INSERT INTO content_files (uid, storage, identifier, folder)
SELECT :first + i, 'media', '/pictures/generated/' || i || '.jpg', '/pictures/generated/' FROM n WHERE i < :files;

INSERT INTO content_folders (storage, path, parent)
VALUES ('media', '/', ''), ('media', '/pictures/', '/'), ('media', '/pictures/generated/', '/pictures/') ON CONFLICT DO NOTHING;

INSERT INTO content_file_metadata (uid, file_uid)
SELECT :first + i, :first + i FROM n WHERE i < :files;

INSERT INTO content_references (uid, owner_table, owner_uid, owner_field, file_uid)
SELECT :first + i, 'content', :first + i / 3 * 4 + i % 3, 'image', :first + i % :files FROM n WHERE i < :references;

INSERT INTO content_links (tab, uid, kind, to_tab, to_uid)
SELECT 'accordion_items', :first + i, 1, 'content', :first + 4 * i + 3 FROM n WHERE i < :items;

INSERT INTO content_links (tab, uid, kind, to_tab, to_uid)
SELECT 'content', :first + i, 0, 'pages', :first + i % :pages FROM n WHERE i < :elements AND i % 4 = 0;

INSERT INTO content_links (tab, uid, kind, to_tab, to_uid)
SELECT 'file_metadata', :first + i, 0, 'files', :first + i FROM n WHERE i < :files;

INSERT INTO content_links (tab, uid, kind, to_tab, to_uid)
SELECT 'file_references', :first + i, 0, 'files', :first + i % :files FROM n WHERE i < :references;

INSERT INTO content_ids (tab, last)
SELECT tab, MAX(uid) FROM content_records WHERE uid >= :first GROUP BY tab
ON CONFLICT (tab) DO UPDATE SET last = excluded.last;

DROP TABLE n;
